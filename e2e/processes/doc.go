// Package processes tests hallcall as its users run it: as processes that are
// started, killed and started again, with nothing but commands and the HTTP API.
package processes
