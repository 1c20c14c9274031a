package hallredis

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// DefaultPrefix begins every key unless Options say otherwise.
const DefaultPrefix = "hallcall:"

// keys builds the names of all keys of one hall. The hall's id stands in
// braces, so that all of them share a cluster slot.
type keys struct{ base string }

// escape keeps the characters that mean something in a key out of an id.
var (
	escape   = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")
	unescape = strings.NewReplacer("%25", "%", "%7B", "{", "%7D", "}")
)

func keysOf(prefix, hallID string) keys {
	return keys{prefix + "{" + escape.Replace(hallID) + "}:"}
}

func (k keys) hall() string       { return k.base + "hall" }       // hash: layout, rules, day, counters
func (k keys) people() string     { return k.base + "people" }     // hash: candidate → name, ID number, note; erasable
func (k keys) candidates() string { return k.base + "candidates" } // hash: candidate → record
func (k keys) roster() string     { return k.base + "roster" }     // zset: candidates in the order of the roster
func (k keys) machines() string   { return k.base + "machines" }   // hash: machine → record
func (k keys) sittings() string   { return k.base + "sittings" }   // hash: sitting → record
func (k keys) wait() string       { return k.base + "wait" }       // zset: who waits, by place
func (k keys) index() string      { return k.base + "index" }      // zset: the same, by class, due subjects and place
func (k keys) aside() string      { return k.base + "aside" }      // zset: held, resting, absent, withdrawn, by since when
func (k keys) subjects() string   { return k.base + "subjects" }   // hash: what the choice of subject needs
func (k keys) pauses() string     { return k.base + "pauses" }     // hash: "hall" or "room ID" → message
func (k keys) calls() string      { return k.base + "calls" }      // list: sittings last announced, newest first
func (k keys) due() string        { return k.base + "due" }        // zset: what time brings, by when
func (k keys) events() string     { return k.base + "events" }     // stream
func (k keys) counts() string     { return k.base + "counts" }     // hash: people by state
func (k keys) reasons() string    { return k.base + "reasons" }    // hash: event → reason, free text; erasable
func (k keys) target() string     { return k.base + "target" }     // zset: who waits and was not marked as over the target, by since
func (k keys) commands() string   { return k.base + "commands" }   // stream: what the last undoable commands found, by their events
func (k keys) called() string     { return k.base + "called" }     // stream: candidates before their last automatic calls, by the events
func (k keys) notes() string      { return k.base + "notes" }      // hash: candidate → notes of the staff, free text; erasable
func (k keys) incidents() string  { return k.base + "incidents" }  // hash: event → incident, free text; erasable, those of a person by their candidate
func (k keys) days() string       { return k.base + "days" }       // zset: closed days, by the how-manieth of the hall
func (k keys) phones() string     { return k.base + "phones" }     // hash: secret of a phone page → candidate; ends with the day
func (k keys) alerts() string     { return k.base + "alerts" }     // hash: "name id" of an active alert → record
func (k keys) screens() string    { return k.base + "screens" }    // zset: nodes with boards, by until when their last report counts
func (k keys) answers() string    { return k.base + "answers" }    // zset: the once keys, without what they begin with, by until when they last
func (k keys) hints() string      { return k.base + "hints" }      // channel: version and next due time

// hash: "c1" and so on → correction of the records, free text; erasable
func (k keys) corrections() string { return k.base + "corrections" }

// hash: how far the events were told outside. It is that of package nodes; here
// it is known for backups only.
func (k keys) webhook() string { return k.base + "webhook" }

// hash: machine in service → what estimates go by
func (k keys) service() string { return k.base + "service" }

// zset: who waits of a class, by when the wait began, holds left out, in milliseconds.
func (k keys) since(class hall.Class) string { return k.base + "since:" + string(class) }

func (k keys) idle(subject string) string { return k.base + "idle:" + subject } // zset: machines
func (k keys) used(subject string) string { return k.base + "used:" + subject } // zset: machines

// once keeps the answer to a command with an idempotency key for a day.
func (k keys) once(by, key string) string {
	sum := sha256.Sum256([]byte(by + "\x00" + key))
	return k.base + "once:" + hex.EncodeToString(sum[:16])
}

// scripted lists the keys in the order in which every script gets them.
func (k keys) scripted(once string) []string {
	names := []string{
		k.hall(), k.people(), k.candidates(), k.roster(), k.machines(), k.sittings(), k.wait(), k.index(),
		k.aside(), k.subjects(), k.pauses(), k.calls(), k.due(), k.events(), k.counts(), k.reasons(), k.target(),
		k.commands(), k.called(),
	}
	for _, class := range hall.Classes {
		names = append(names, k.since(class))
	}
	return append(names, k.notes(), k.incidents(), k.phones(), k.service(), k.alerts(), k.screens(), k.days(), k.corrections(),
		k.answers(), once)
}

// ofDay builds the names that a closed day's keys have: the same ones, behind
// the id of the day. Who reads a hall by its keys reads a closed day by these.
func (k keys) ofDay(day string) keys { return keys{k.base + "day:" + day + ":"} }

// archive lists the keys in which a closed day is kept.
func (k keys) archive(day string, subjects []hall.Subject) []string {
	of := k.ofDay(day)
	names := []string{}
	for _, name := range of.scripted("") {
		if name != "" && name != of.days() && name != of.screens() && name != of.answers() {
			names = append(names, name)
		}
	}
	for _, subject := range subjects {
		names = append(names, of.idle(subject.Code), of.used(subject.Code))
	}
	return names
}

// hallsKey is the list of halls: it belongs to the site, not to a hall.
func hallsKey(prefix string) string { return prefix + "halls" }

// hintsPattern matches the hint channels of all halls.
func hintsPattern(prefix string) string { return prefix + "{*}:hints" }

// hallOfChannel is the hall that a hint channel belongs to.
func hallOfChannel(prefix, channel string) string {
	id := strings.TrimSuffix(strings.TrimPrefix(channel, prefix+"{"), "}:hints")
	return unescape.Replace(id)
}
