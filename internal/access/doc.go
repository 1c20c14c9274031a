// Package access says who may do what: the table of rights, and what somebody
// was given. It knows neither accounts nor tokens nor how requests come in.
package access
