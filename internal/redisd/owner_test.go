package redisd_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/hallcall/hallcall/internal/redisd"
)

// ownerEnv makes the test binary a server on the data folder it names.
const ownerEnv = "REDISD_TEST_OWNER"

// own opens a data folder, writes, says which process its child is, and waits to be killed.
func own(dir string) {
	r, err := redisd.Open(context.Background(), redisd.Config{DataDir: dir})
	if err == nil {
		err = r.Client().Set(context.Background(), "k", "v", 0).Err()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(processOf(context.Background(), r.Client()))
	select {}
}

// killedOwner runs a server on a data folder, kills it, and returns the process of the child it left behind.
func killedOwner(t *testing.T, dir string) (pid int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), ownerEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(line, &pid); err != nil {
		t.Fatalf("owner said %q", line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := syscall.Kill(pid, 0); err != nil {
		t.Fatalf("child %d is gone with its owner: %v", pid, err)
	}
	return pid
}

// gone reports whether a process has ended; a zombie that nobody waits for has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	var n int
	var name, state string
	if err == nil {
		_, _ = fmt.Sscan(string(stat), &n, &name, &state)
	}
	return state == "Z"
}

func TestLeftBehindChildIsEnded(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	pid := killedOwner(t, dir)
	r := open(t, redisd.Config{DataDir: dir})
	if !gone(pid) {
		t.Fatalf("child %d that was left behind runs still", pid)
	}
	wantValue(t, r, "k", "v")
}

func TestLeftBehindChildThatHangsIsKilled(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	pid := killedOwner(t, dir)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	r := open(t, redisd.Config{DataDir: dir})
	if !gone(pid) {
		t.Fatalf("child %d that hung runs still", pid)
	}
	wantValue(t, r, "k", "v")
}

func TestCommandEndsLeftBehindChild(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	pid := killedOwner(t, dir)
	r, err := redisd.Attach(t.Context(), redisd.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !gone(pid) {
		t.Errorf("child %d that was left behind runs still", pid)
	}
	wantValue(t, r, "k", "v")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}
