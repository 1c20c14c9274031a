package app

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateEvery is how often the files are looked at, when somebody connects.
const certificateEvery = 10 * time.Second

// renewable is a certificate that is renewed in its files while the server runs.
type renewable struct {
	certFile, keyFile string
	log               *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  [2]fileStamp
	looked time.Time
}

// fileStamp tells one state of a file from the next.
type fileStamp struct {
	changed time.Time
	size    int64
}

// read reads both files. It is not for many at once.
func (c *renewable) read() error {
	stamp, err := c.stamps()
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.pair, c.stamp, c.looked = &pair, stamp, measured()
	return nil
}

func (c *renewable) stamps() (stamps [2]fileStamp, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return stamps, err
		}
		stamps[i] = fileStamp{info.ModTime(), info.Size()}
	}
	return stamps, nil
}

// get is the certificate for a connection. Files that do not fit together, as
// between the writing of the one and of the other, leave the one of before.
func (c *renewable) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if measured().Sub(c.looked) >= certificateEvery {
		c.look()
	}
	return c.pair, nil
}

func (c *renewable) look() {
	c.looked = measured()
	stamp, err := c.stamps()
	if err == nil {
		if stamp == c.stamp {
			return
		}
		if err = c.read(); err == nil {
			c.log.Info("certificate read again", "file", c.certFile)
			return
		}
	}
	c.log.Warn("certificate not read again, the one of before goes on", "error", err)
}

func measured() time.Time { return time.Now() } //nolint:forbidigo // only to measure
