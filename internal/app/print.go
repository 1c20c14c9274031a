package app

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// baseURL is where people reach the server, without a slash at the end.
func baseURL(public string, addr net.Addr, secure bool) string {
	if public != "" {
		return public
	}
	host := addr.String()
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		host = net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	if secure {
		return "https://" + host
	}
	return "http://" + host
}

// printPassword shows a password that was made, at once: nobody can show it again.
func (a *App) printPassword(password string) {
	if password != "" {
		_, _ = fmt.Fprintf(a.config.Out, "First start. Sign in as %q with the password %s\nIt is shown only now.\n\n", access.Admin, password)
	}
}

// printPages shows the addresses of the pages.
func (a *App) printPages(ctx context.Context, store hall.Halls) error {
	ids, err := store.HallIDs(ctx)
	if err != nil {
		return fmt.Errorf("list of halls: %w", err)
	}
	pages := [][2]string{{"Home", "/"}, {"Sign in", "/login"}}
	if slices.Contains(ids, demoHall) {
		at := "/halls/" + url.PathEscape(demoHall)
		pages = append(pages, [2]string{"Kiosk", at + "/kiosk"}, [2]string{"Board", at + "/board"}, [2]string{"Proctor", at + "/proctor"}, [2]string{"Monitor", at + "/monitor"})
	}
	for _, page := range pages {
		if _, err := fmt.Fprintf(a.config.Out, "%-8s %s%s\n", page[0], a.url, page[1]); err != nil {
			return fmt.Errorf("print addresses: %w", err)
		}
	}
	return nil
}
