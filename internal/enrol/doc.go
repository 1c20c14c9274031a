// Package enrol takes rosters into halls: it says what a file would do, keeps it
// until somebody says that it shall be done, and does it step by step. Pages and
// commands share it.
package enrol
