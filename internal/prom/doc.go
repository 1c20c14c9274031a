// Package prom shows the figures of all halls and those of this node as text
// for Prometheus.
//
// Of a hall are the figures of the metrics centre, which every node shows
// alike. Of the node are its requests, websockets, connections to Redis and
// the Go runtime: they are no events of any day, so the centre does not have them.
package prom
