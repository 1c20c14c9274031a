package app

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hallcall/hallcall/internal/hallredis"
)

// Config is what the program can be told. The zero Config serves on a free
// port of the loopback interface, with a private Redis in the data folder.
type Config struct {
	Addr      string // to listen on; "127.0.0.1:0" if empty
	Redis     string // URL, "memory", or empty for a private redis-server
	DataDir   string // of the private redis-server; "data" if empty
	Prefix    string // begins every key; that of hallredis if empty
	PublicURL string // under which people reach the server; its address if empty

	TLSCert, TLSKey string   // files; both or none
	TrustedProxies  []string // addresses or networks of proxies that end TLS

	Demo          bool   // make the hall "demo" if there is no hall
	AdminToken    string // of the API, with every right
	AdminPassword string // of the first administrator; one is made if empty

	WebhookURL     string // where alerts are posted; "" for nowhere
	WebhookSecret  string // what they are signed with
	WebhookPrivate bool   // it may be an address that is not public, and http

	Now     func() time.Time // the clock of this node; time.Now if nil. Halls go by that of Redis
	Version string           // of the program
	Log     *slog.Logger     // nil drops it
	Out     io.Writer        // gets the addresses of the pages; nil drops them
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	c.Addr = cmp.Or(c.Addr, "127.0.0.1:0")
	c.DataDir = cmp.Or(c.DataDir, "data")
	c.Prefix = cmp.Or(c.Prefix, hallredis.DefaultPrefix)
	if c.Now == nil {
		c.Now = time.Now //nolint:forbidigo // here the clock of the program is wired
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Out == nil {
		c.Out = io.Discard
	}
	return c
}

// certificate reads the certificate, and reads it again when its files have
// changed; nil if there is to be no TLS.
func (c Config) certificate() (*tls.Config, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil, nil //nolint:nilnil // no TLS is no error
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil, errors.New("TLS needs both a certificate and a key")
	}
	kept := &renewable{certFile: c.TLSCert, keyFile: c.TLSKey, log: c.Log}
	if err := kept.read(); err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return &tls.Config{GetCertificate: kept.get, MinVersion: tls.VersionTLS12}, nil
}

// publicURL checks the public address and takes a slash off its end.
func (c Config) publicURL() (string, error) {
	if c.PublicURL == "" {
		return "", nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" ||
		u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", fmt.Errorf("public URL %q must be http:// or https:// and a host, without a path, a query or a user", c.PublicURL)
	}
	return u.Scheme + "://" + u.Host, nil
}

// trustedProxies reads the addresses and networks of proxies.
func (c Config) trustedProxies() ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, text := range c.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if addr, wrong := netip.ParseAddr(text); wrong == nil {
			network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("trusted proxy %q must be an address or a network such as 10.0.0.0/8", text)
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// minToken is the least number of characters of a token with every right.
const minToken = 16

// checkToken refuses a token that can be guessed.
func (c Config) checkToken() error {
	if c.AdminToken != "" && utf8.RuneCountInString(c.AdminToken) < minToken {
		return fmt.Errorf("the API token in HALLCALL_ADMIN_TOKEN has every right and must have at least %d characters; \"openssl rand -hex 32\" makes one", minToken)
	}
	return nil
}

// secureCookies reports whether people reach this server over TLS even if it
// does not speak TLS itself.
func (c Config) secureCookies() bool {
	return len(c.TrustedProxies) > 0 || strings.HasPrefix(c.PublicURL, "https://")
}
