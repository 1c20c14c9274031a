package app

import "net"

// ownHost is an address of this machine for others, where the server listens
// on all of them; "" if it listens on one, or if there is none. The addresses
// of this machine are asked for only then.
func (c Config) ownHost(own func() ([]net.Addr, error)) string {
	host, _, err := net.SplitHostPort(c.Addr)
	if ip := net.ParseIP(host); err != nil || (host != "" && !ip.IsUnspecified()) {
		return ""
	}
	addresses, err := own()
	if err != nil {
		return ""
	}
	return firstOutside(addresses)
}

// firstOutside is the first address that other machines may reach, IPv4 before
// IPv6: people's networks speak it more often.
func firstOutside(addresses []net.Addr) string {
	var other string
	for _, address := range addresses {
		network, ok := address.(*net.IPNet)
		if !ok || !network.IP.IsGlobalUnicast() {
			continue
		}
		if network.IP.To4() != nil {
			return network.IP.String()
		}
		if other == "" {
			other = network.IP.String()
		}
	}
	return other
}
