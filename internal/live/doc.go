// Package live carries the states of topics to browsers over websockets. It
// knows topics and bytes, not what they mean.
//
// A message is the whole state of a topic. So a client that does not keep up
// misses states in between but never the newest one, nothing is queued, and a
// publisher never waits for anybody.
package live
