// Package historytest checks what many clients at once were told against the
// stream of events that the hall wrote meanwhile. The stream is a total order;
// the history is right if it is a linearization of the commands: each answer is
// that of one moment between its command and its return, each change was asked
// for by exactly one command, and every call followed the order of the line.
package historytest
