package templates

import "github.com/hallcall/hallcall/internal/locale"

// Page is what every page needs around its content.
type Page struct {
	Title       string
	Texts       *locale.Texts  // that the page is written in
	Languages   []LanguageLink // that can be chosen, none on pages that are in English only
	Path        string         // of the page, to come back to
	Theme       string         // "dark" for boards
	Icon        string
	Styles      []string // addresses of style sheets
	Scripts     []string // addresses of scripts
	Version     string   // of the assets: a page that is open for days knows by it that it is outdated
	Now         int64    // server time in milliseconds
	Zone        string   // IANA time zone of the hall, for clocks
	Offset      int      // seconds that the zone is ahead of UTC now, for browsers that do not know it
	Live        string   // address of the websocket, "" for none
	ReloadAfter int      // seconds until a browser without scripts starts again, 0 for never
	ReloadTo    string
	Refresh     int    // seconds until any browser asks for the page again, 0 for never
	Warning     string // shown on staff pages
	User        string // who is logged in
	Device      string // where the device that shows the page says how it is, "" for none
	Paper       string // what it said of its paper
	Admin       bool   // they may look after accounts
	Notice      Notice
}

// Notice is one message above the content: what was done, or why not.
type Notice struct {
	Text string
	Bad  bool
	Link string // where to go on, "" for nowhere
}

// scriptConfig sets up the page scripts: no history of their own, open
// details and dialogs stay open when their surroundings change, sockets live
// on in background tabs and come back within seconds.
const scriptConfig = `{"history":false,"includeIndicatorCSS":false,"defaultTimeout":8000,` +
	`"morphIgnore":["data-htmx-powered","open"],` +
	`"ws":{"pauseOnBackground":false,"reconnectDelay":400,"reconnectMaxDelay":2400,"reconnectJitter":0.25}}`
