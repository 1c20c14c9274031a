// Package metrics is the metrics centre: figures of a hall's day that follow
// its events. Each figure has a definition; which Redis commands a definition
// may name is in the command table. A follower reads the day's events in order
// and saves what they mean, each exactly once; queries read the figures.
package metrics
