package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/app"
)

// stopLimit is how long the server may take to stop.
const stopLimit = 10 * time.Second

// storeFlags say where the halls are kept.
type storeFlags struct {
	Redis string `env:"HALLCALL_REDIS" placeholder:"URL" help:"Redis to use: redis://, rediss:// or unix://; \"memory\" for rehearsals; empty for a private one in the data folder."`
	Data  string `env:"HALLCALL_DATA" default:"./data" placeholder:"FOLDER" help:"Data folder (${default})."`
}

// serve runs the server.
type serve struct {
	storeFlags

	Addr           string   `env:"HALLCALL_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on (${default})."`
	PublicURL      string   `name:"public-url" env:"HALLCALL_PUBLIC_URL" placeholder:"URL" help:"Address under which people reach the server, for QR codes: http:// or https:// and a host. Otherwise the one that the kiosk asks."`
	TLSCert        string   `name:"tls-cert" env:"HALLCALL_TLS_CERT" placeholder:"FILE" help:"Certificate for TLS."`
	TLSKey         string   `name:"tls-key" env:"HALLCALL_TLS_KEY" placeholder:"FILE" help:"Key of the certificate."`
	TrustedProxies []string `env:"HALLCALL_TRUSTED_PROXIES" placeholder:"ADDRESS" help:"Addresses or networks of proxies that end TLS."`
	Demo           bool     `env:"HALLCALL_DEMO" help:"Make the hall \"demo\" if there is no hall."`

	WebhookURL        string `name:"webhook-url" env:"HALLCALL_WEBHOOK_URL" placeholder:"URL" help:"Where alerts are posted, signed: https:// and a host."`
	WebhookSecretFile string `env:"HALLCALL_WEBHOOK_SECRET_FILE" placeholder:"FILE" help:"File with the secret that they are signed with, instead of HALLCALL_WEBHOOK_SECRET."`
	WebhookPrivate    bool   `env:"HALLCALL_WEBHOOK_PRIVATE" help:"Let the webhook reach addresses that are not public, and http://."`

	LogLevel string `env:"HALLCALL_LOG_LEVEL" enum:"debug,info,warn,error" default:"info" help:"What is logged: debug, info, warn or error (${default})."`
}

// Help is shown below the flags.
func (*serve) Help() string {
	return `Secrets come from the environment, not from flags: HALLCALL_ADMIN_TOKEN is an API token with every right,
HALLCALL_ADMIN_PASSWORD the first administrator's password (user "admin"). Without it one is made at the first start
and printed once; set it then to replace a password that was made and lost. A password that was given once stays.
HALLCALL_WEBHOOK_SECRET is what alerts are signed with: "whsec_" and 24 to 64 bytes in base64; two with a blank between
them while one takes the place of the other. A URL with a secret in it can be given as HALLCALL_WEBHOOK_URL.`
}

// Run runs the server until the context ends.
func (s *serve) Run(c *console) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return err
	}
	secret, err := s.webhookSecret()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: level}))
	a := app.New(app.Config{
		Addr: s.Addr, Redis: s.Redis, DataDir: s.Data, PublicURL: s.PublicURL,
		TLSCert: s.TLSCert, TLSKey: s.TLSKey, TrustedProxies: s.TrustedProxies,
		Demo: s.Demo, AdminToken: os.Getenv("HALLCALL_ADMIN_TOKEN"), AdminPassword: os.Getenv("HALLCALL_ADMIN_PASSWORD"),
		WebhookURL: s.WebhookURL, WebhookSecret: secret, WebhookPrivate: s.WebhookPrivate,
		Version: build().Version, Log: log, Out: c.out,
	})
	if err := a.Start(c.ctx); err != nil {
		if c.ctx.Err() != nil {
			return nil // stopped while starting
		}
		return err
	}
	var failed error
	select {
	case <-c.ctx.Done():
		log.Info("hallcall is stopping")
	case failed = <-a.Failed():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopLimit)
	defer cancel()
	return errors.Join(failed, a.Stop(ctx))
}

// webhookSecret reads the secret of the webhook, from its file or the environment.
func (s *serve) webhookSecret() (string, error) {
	if s.WebhookSecretFile == "" {
		return os.Getenv("HALLCALL_WEBHOOK_SECRET"), nil
	}
	text, err := os.ReadFile(s.WebhookSecretFile)
	if err != nil {
		return "", fmt.Errorf("the webhook's secret: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
