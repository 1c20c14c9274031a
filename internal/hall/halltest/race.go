//go:build race

package halltest

// mostSteps is how long random days are: with the race detector each step takes
// several times as long, and who looks for rare states plays without it.
const mostSteps = 20
