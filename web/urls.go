package web

import (
	"net/url"
	"strings"
)

// hallURL is the address of something of a hall; ids are encoded.
func hallURL(hallID string, parts ...string) string {
	escaped := make([]string, 0, len(parts)+1)
	for _, part := range append([]string{hallID}, parts...) {
		escaped = append(escaped, url.PathEscape(part))
	}
	return "/halls/" + strings.Join(escaped, "/")
}

// rosterURL is where a hall's roster is loaded, and what is below.
func rosterURL(hallID string, parts ...string) string {
	return hallURL(hallID, append([]string{"staff", "roster"}, parts...)...)
}

// withRoom keeps the room that a page shows.
func withRoom(address, room string) string { return withValues(address, "room", room) }

// withValues adds names and values to an address; those without a value are left out.
func withValues(address string, query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	if len(values) == 0 {
		return address
	}
	return address + "?" + values.Encode()
}

// liveURL is the websocket of a view.
func liveURL(t topic) string {
	query := url.Values{"view": {t.view}}
	if t.room != "" {
		query.Set("room", t.room)
	}
	if t.lang != "" {
		query.Set("lang", t.lang)
	}
	return hallURL(t.hall, "live") + "?" + query.Encode()
}

// localPath returns an address to go to after a login: one of this server only.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || u.User != nil {
		return pathHome
	}
	if len(address) < 1 || address[0] != '/' || (len(address) > 1 && (address[1] == '/' || address[1] == '\\')) {
		return pathHome
	}
	return u.String()
}
