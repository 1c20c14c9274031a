package redisd_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hallcall/hallcall/internal/redisd"
)

func TestAttachBesideServer(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := redisd.Config{DataDir: t.TempDir()}
	server := open(t, config)
	set(t, server)
	command, err := redisd.Attach(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, command, "k", "v")
	if err := command.Close(); err != nil {
		t.Fatal(err)
	}
	wantValue(t, server, "k", "v") // the child stays
}

func TestAttachAlone(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := redisd.Config{DataDir: t.TempDir()}
	var all sync.WaitGroup
	for range 3 { // commands wait for one another
		all.Go(func() {
			command, err := redisd.Attach(t.Context(), config)
			if err != nil {
				t.Error(err)
				return
			}
			if err := command.Client().Incr(t.Context(), "n").Err(); err != nil {
				t.Error(err)
			}
			if err := command.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	wantValue(t, open(t, config), "n", "3")
}

func TestServerWaitsForCommand(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := redisd.Config{DataDir: t.TempDir()}
	command, err := redisd.Attach(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := redisd.Open(ctx, config); err == nil || !strings.Contains(err.Error(), "used by another command") {
		t.Errorf("Open beside a command: %v", err)
	}
	if err := command.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, config)
}

func TestAttachToMissingFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "missing")
	if _, err := redisd.Attach(t.Context(), redisd.Config{DataDir: dir}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("Attach: %v, want an error that names the folder", err)
	}
}
