package webhook

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// What is public is a list of what is not, for IPv4; for IPv6 the other way
// round: only 2000::/3 is given out, less what is for other uses.
var (
	special4 = prefixes(
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
		"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	)
	global6  = netip.MustParsePrefix("2000::/3")
	special6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// public reports whether an address is one of the internet at large.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if a.Is4() {
		return !within(a, special4)
	}
	if a.Zone() != "" {
		return false
	}
	if nat64.Contains(a) { // it leads to the IPv4 address at its end
		b := a.As16()
		return public(netip.AddrFrom4([4]byte(b[12:])))
	}
	return global6.Contains(a) && !within(a, special6)
}

func within(a netip.Addr, all []netip.Prefix) bool {
	for _, p := range all {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// refusedError says that an address must not be dialled.
type refusedError struct{ address string }

// Error names the address.
func (e *refusedError) Error() string { return e.address + " is not a public address" }

// refused is an error for an address that is not public, or none.
func refused(ip string) error {
	if a, err := netip.ParseAddr(ip); err != nil || !public(a) {
		return &refusedError{ip}
	}
	return nil
}

// dialTimeout is how long it may take to connect.
const dialTimeout = 5 * time.Second

// dialer makes connections. Which address is allowed is looked at when it is
// dialled, after names were resolved: so no name leads elsewhere in between.
func dialer(private bool, resolver *net.Resolver) *net.Dialer {
	d := &net.Dialer{Timeout: dialTimeout, Resolver: resolver}
	if !private {
		d.ControlContext = func(_ context.Context, network, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if err != nil || (network != "tcp4" && network != "tcp6") {
				return fmt.Errorf("%s %s cannot be dialled", network, address)
			}
			return refused(host)
		}
	}
	return d
}
