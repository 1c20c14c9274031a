// Package hall is the domain of hallcall: the words, rules and errors of an
// exam hall with a queue. It knows no technology: adapters depend on it, it
// depends on the standard library only.
//
// The words are those used in keys, API and pages too. A hall has rooms with
// machines; each machine is of a model, and a model serves one or more
// subjects. A candidate is on the day's roster, checks in, waits, is called,
// is seated and is done once no subject is due any more. One candidate on one
// machine for one subject is a sitting.
package hall
