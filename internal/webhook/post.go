package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	postLimit   = 15 * time.Second // for one request, with its answer
	answerLimit = 16 << 10         // bytes of an answer that are read; they mean nothing
	longestWait = time.Hour        // that an answer may ask for
)

// outcome is what came of a request.
type outcome int

const (
	delivered outcome = iota
	failed            // to be tried again
	rejected          // this message will not be taken, however often it is sent
	gone              // the endpoint wants no more
)

// result is what came of a request, and why.
type result struct {
	outcome outcome
	reason  string
	wait    time.Duration // that the endpoint asked for, at most longestWait
}

// client makes requests. It follows no redirects, uses no proxy and no cookies,
// and connects to allowed addresses only.
func client(c *Config) *http.Client {
	return &http.Client{
		Timeout: postLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer(c.Private, c.resolver).DialContext, TLSHandshakeTimeout: dialTimeout,
			MaxIdleConnsPerHost: atOnce, IdleConnTimeout: time.Minute, DisableCompression: true, MaxResponseHeaderBytes: answerLimit,
		},
	}
}

// post sends a message once.
func (w *Webhook) post(ctx context.Context, m *message) result {
	now := w.c.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.target.String(), bytes.NewReader(m.body))
	if err != nil {
		return result{outcome: failed, reason: "the request cannot be made"}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", w.c.Agent)
	request.Header.Set("Webhook-Id", m.id)
	request.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	request.Header.Set("Webhook-Signature", signature(w.keys, m.id, now, m.body))
	response, err := w.client.Do(request)
	if err != nil {
		return result{outcome: failed, reason: reasonOf(err)}
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, answerLimit)) // so that the connection can be used again
	return verdict(response.StatusCode, response.Header.Get("Retry-After"), now)
}

// reasonOf is an error of the client without the address, which may have a secret in it.
func reasonOf(err error) string {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return err.Error()
}

// verdict reads an answer as the specification advises: everything but 2xx is a
// failure and tried again, 410 ends it all. Statuses that speak of this one
// message, and will not change, let the next one pass.
func verdict(status int, retryAfter string, now time.Time) result {
	r := result{outcome: failed, reason: fmt.Sprintf("the endpoint answered %d", status)}
	switch status {
	case http.StatusGone:
		r.outcome = gone
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		r.outcome = rejected
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		r.wait = waitFor(retryAfter, now)
	default:
		if status >= 200 && status < 300 {
			return result{}
		}
	}
	return r
}

// waitFor reads Retry-After: seconds or a date. 0 if it says nothing.
func waitFor(text string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, longestWait)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), longestWait)
	}
	return 0
}
