// Package halltest holds what tests of stores share: layouts to build on, a
// fixed clock, the reference model of a hall, and the suite that every store
// must pass. Only tests import it.
package halltest
