package hall

// Position is how far somebody outside has been told the events of a hall. The
// zero Position is that of nobody who was told anything.
type Position struct {
	Day   int    // the how-manieth of the hall, from 1
	After string // id of the last event, "" for none of them; ids go on over the days
}
