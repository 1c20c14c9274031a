package webhook

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

// TestSignature has the example that the libraries of the specification are tested with.
func TestSignature(t *testing.T) {
	t.Parallel()
	keys, err := keysIn("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := signature(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	of := func(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
	for secret, want := range map[string]int{
		"whsec_" + of(24): 1, "whsec_" + of(64): 1, of(32): 1, "whsec_" + of(32) + " whsec_" + of(24): 2, " whsec_" + of(32) + "\n": 1,
		"": 0, " ": 0, "whsec_": 0, "whsec_" + of(23): 0, "whsec_" + of(65): 0, "not base64, but long enough for it": 0, "whsec_" + of(32) + " short": 0,
	} {
		keys, err := keysIn(secret)
		if len(keys) != want && err == nil || (err == nil) != (want > 0) {
			t.Errorf("%q: %d keys, %v", secret, len(keys), err)
		}
		if err != nil && len(secret) > 8 && strings.Contains(err.Error(), secret[6:]) {
			t.Errorf("the error repeats the secret: %v", err)
		}
	}
}

func TestMessageIDs(t *testing.T) {
	t.Parallel()
	for hallID, want := range map[string]string{
		"no7": "no7_1764-0", "a_1-0": "a_1-0_1764-0", "a.b": "a%2Eb_1764-0", "七": "%E4%B8%83_1764-0", "a%2Eb": "a%252Eb_1764-0", "a b\r\n": "a%20b%0D%0A_1764-0",
	} {
		if got := messageID(hallID, "1764-0"); got != want {
			t.Errorf("%q: %s, want %s", hallID, got, want)
		}
	}
}
