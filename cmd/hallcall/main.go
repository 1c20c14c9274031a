// Command hallcall runs an exam hall: check-in, calls, sittings, and the pages
// that show them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Set when the program is linked.
var (
	version string
	commit  string
)

// commands are all commands with their flags. Each flag has an environment variable.
type commands struct {
	Serve   serve      `cmd:"" help:"Run the server."`
	Import  importer   `cmd:"" help:"Read a roster into a hall."`
	Doctor  doctor     `cmd:"" help:"Check that halls are as they must be."`
	Metrics figures    `cmd:"" help:"Work on the figures of halls."`
	Backup  backup     `cmd:"" help:"Write everything of a hall into one file."`
	Restore restore    `cmd:"" help:"Make the hall that a backup has."`
	Version versionCmd `cmd:"" help:"Show the version."`
}

// console is where a command writes, and how long it may run.
type console struct {
	//nolint:containedctx // handed to one command, which ends with it
	ctx      context.Context
	out, err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exit is the code with which the parser ends the program, after --help.
type exit int

// run runs one command and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if ended := recover(); ended != nil {
			known, ok := ended.(exit)
			if !ok {
				panic(ended)
			}
			code = int(known)
		}
	}()
	parser, err := kong.New(&commands{},
		kong.Name("hallcall"),
		kong.Description("Runs an exam hall."),
		kong.UsageOnError(),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
	)
	if err != nil {
		panic(err) // the commands themselves are wrong
	}
	parsed, err := parser.Parse(args)
	parser.FatalIfErrorf(err)
	err = parsed.Run(&console{ctx: ctx, out: stdout, err: stderr})
	if err != nil && !errors.Is(err, errBroken) {
		_, _ = fmt.Fprintf(stderr, "hallcall: %v\n", err)
	}
	if err != nil {
		return 1
	}
	return 0
}
