//go:build !race

package halltest

// mostSteps is how long random days are.
const mostSteps = 80
