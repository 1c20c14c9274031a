package app

import (
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
	for _, addr := range []string{"127.0.0.1:8080", "localhost:8080", "[::1]:8080", "192.0.2.7:80", "hall.example:80", ""} {
		if got := (Config{Addr: addr}).ownHost(); got != "" {
			t.Errorf("a server on %q says %q", addr, got)
		}
	}
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{":8080", "0.0.0.0:8080", "[::]:8080"} {
		if got := (Config{Addr: addr}).ownHost(); got != firstOutside(interfaces) {
			t.Errorf("a server on %q says %q", addr, got)
		}
	}
}
