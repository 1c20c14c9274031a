package account

// CheapHashes makes hashes that cost next to nothing, for tests that make many.
func CheapHashes() { cost.Memory, cost.Iterations = 64, 1 }
