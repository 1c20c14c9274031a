package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// playwrightVersion is that of the driver which playwright-go speaks with.
const playwrightVersion = "1.52.0"

// chromiumFlags keep the browser from asking anybody for anything.
var chromiumFlags = []string{
	"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
}

// The one browser of this package, and why there is none.
var (
	browser      playwright.Browser
	errNoBrowser error
)

// rootDir is the top of the project: tests run in the folder of their package.
const rootDir = ".."

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if err := errors.Join(os.RemoveAll(leftoversDir), os.MkdirAll(leftoversDir, 0o755)); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	stop, err := launch()
	errNoBrowser = err
	code := m.Run()
	stopServers()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return code
}

// launch starts the driver and the browser.
func launch() (stop func() error, err error) {
	stop = func() error { return nil }
	driver, err := filepath.Abs(filepath.Join(rootDir, ".cache", "playwright", playwrightVersion))
	if err != nil {
		return stop, err
	}
	if _, err := os.Stat(filepath.Join(driver, "package", "cli.js")); err != nil {
		return stop, errors.New("the browser driver is not installed (make setup)")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return stop, fmt.Errorf("no node: %w", err)
	}
	if err := os.Setenv("PLAYWRIGHT_NODEJS_PATH", node); err != nil {
		return stop, err
	}
	chromium := os.Getenv("CHROMIUM")
	if chromium == "" {
		chromium = "/usr/bin/chromium-headless-shell" // the same without windows, which take half of the time
	}
	if _, err := exec.LookPath(chromium); err != nil {
		return stop, errors.New("chromium-headless-shell is not installed (make setup)")
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: driver, SkipInstallBrowsers: true})
	if err != nil {
		return stop, fmt.Errorf("start the browser driver: %w", err)
	}
	browser, err = pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(chromium),
		Args:           chromiumFlags,
	})
	if err != nil {
		return pw.Stop, fmt.Errorf("start chromium: %w", err)
	}
	return func() error { return errors.Join(browser.Close(), pw.Stop()) }, nil
}

// needBrowser skips a test that has no browser; where all is to be tested it fails.
func needBrowser(t *testing.T) {
	t.Helper()
	switch {
	case errNoBrowser == nil:
	case os.Getenv("CI") != "":
		t.Fatal(errNoBrowser)
	default:
		t.Skip(errNoBrowser)
	}
}
