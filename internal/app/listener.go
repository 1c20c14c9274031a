package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of a connection. Websockets are none of the server's once they are open.
const (
	headerTimeout  = 10 * time.Second
	requestTimeout = time.Minute // for a whole request, a long roster on a bad line too
	idleTimeout    = 2 * time.Minute
	maxHeader      = 64 << 10
)

// listener is the HTTP server on its address.
type listener struct {
	handler     http.Handler
	certificate *tls.Config // nil for no TLS
	log         *slog.Logger
	failed      chan<- error

	server *http.Server
	done   chan struct{}
}

// start takes connections from now on.
func (l *listener) start(ctx context.Context, addr string) (net.Addr, error) {
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	own := socket.Addr()
	if l.certificate != nil {
		config := l.certificate.Clone()
		config.NextProtos = []string{"h2", "http/1.1"}
		socket = tls.NewListener(socket, config)
	}
	l.done = make(chan struct{})
	l.server = &http.Server{
		Handler: l.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: requestTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(l.log.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(l.done)
		if err := l.server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
			l.failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	return own, nil
}

// stop takes no more connections, waits for requests until ctx ends, then cuts them off.
func (l *listener) stop(ctx context.Context) {
	if l.server == nil {
		return
	}
	if err := l.server.Shutdown(ctx); err != nil {
		l.log.Warn("requests were cut off", "error", err)
		_ = l.server.Close()
	}
	<-l.done
}
