// Package e2e holds the browser tests: the whole program runs in the test
// process on a port of its own, and a kiosk, a board and proctor pages look at
// it in a real browser. There is no other code here.
package e2e
