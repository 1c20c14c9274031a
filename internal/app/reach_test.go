package app

import (
	"errors"
	"net"
	"testing"
)

func networks(t *testing.T, addresses ...string) []net.Addr {
	t.Helper()
	list := []net.Addr{&net.UnixAddr{Name: "not a network"}}
	for _, address := range addresses {
		ip, network, err := net.ParseCIDR(address)
		if err != nil {
			t.Fatal(err)
		}
		network.IP = ip
		list = append(list, network)
	}
	return list
}

func TestTheAddressForOthers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		addresses []string
		want      string
	}{
		"IPv4 before IPv6": {[]string{"127.0.0.1/8", "::1/128", "fe80::1/64", "2001:db8::7/64", "192.0.2.7/24", "198.51.100.1/24"}, "192.0.2.7"},
		"IPv6 only":        {[]string{"127.0.0.1/8", "fe80::1/64", "2001:db8::7/64", "2001:db8::8/64"}, "2001:db8::7"},
		"this one only":    {[]string{"127.0.0.1/8", "::1/128", "169.254.1.1/16"}, ""},
	} {
		if got := firstOutside(networks(t, test.addresses...)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTheHostThatOthersAreTold(t *testing.T) {
	t.Parallel()
	own := func() ([]net.Addr, error) { return networks(t, "127.0.0.1/8", "192.0.2.7/24"), nil }
	for addr, want := range map[string]string{
		":8080": "192.0.2.7", "0.0.0.0:8080": "192.0.2.7", "[::]:8080": "192.0.2.7",
		"127.0.0.1:8080": "", "localhost:8080": "", "[::1]:8080": "", "198.51.100.1:80": "", "hall.example:80": "", "": "", "8080": "",
	} {
		if got := (Config{Addr: addr}).ownHost(own); got != want {
			t.Errorf("a server on %q says %q, want %q", addr, got, want)
		}
	}
	unknown := func() ([]net.Addr, error) { return nil, errors.New("no network") }
	if got := (Config{Addr: ":8080"}).ownHost(unknown); got != "" {
		t.Errorf("a server that cannot know says %q", got)
	}
}
