package templates

// HomePage lists the halls.
type HomePage struct {
	Page
	Halls         []HallCard
	Shown         string // which of them, if not all
	Before, After string // pages with the others, "" if there are none
}

// HallCard is one hall on the home page.
type HallCard struct {
	ID, Name                      string
	Status, StatusKind            string // of the day: a word and "go", "call" or "stop"
	Waiting, Called, Seated, Done int
	Kiosk, Board, Proctor         string
	Monitor                       string
	Roster                        string // "" for those who may not
	Devices                       string // the same
	Rooms                         []Link
	Broken                        string // why nothing can be said about it
}

// Link is a text and where it leads.
type Link struct {
	Text, URL string
	Current   bool
}
