package app

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/nodes"
	"github.com/hallcall/hallcall/internal/outage"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/internal/webhook"
	"github.com/hallcall/hallcall/web/api"
)

// alerts are the parts that tell outside what is wrong.
type alerts struct {
	outages *outage.Watcher
	webhook *webhook.Webhook // nil without one
}

// newAlerts makes them; the error is one of the configuration.
func (a *App) newAlerts(client redis.UniversalClient, store *hallredis.Store, clock *clock) (alerts, error) {
	shared := nodes.New(client, a.config.Prefix)
	watch := outage.Config{Names: shared, Store: store, Now: clock.Now, Log: a.log}
	if a.config.WebhookURL == "" {
		return alerts{outages: outage.New(watch)}, nil
	}
	hook, err := webhook.New(webhook.Config{
		URL: a.config.WebhookURL, Secret: a.config.WebhookSecret, Private: a.config.WebhookPrivate,
		Store: store, Positions: shared, Encode: api.EncodeEvent, Now: clock.Now, Agent: "hallcall/" + a.config.Version, Log: a.log,
	})
	if err != nil {
		return alerts{}, err
	}
	watch.Tell = hook.Redis
	return alerts{outages: outage.New(watch), webhook: hook}, nil
}

// start starts them. What was started before a failure is stopped by stop.
func (a alerts) start(ctx context.Context) error {
	if a.webhook != nil {
		if err := a.webhook.Start(ctx); err != nil {
			return fmt.Errorf("webhook: %w", err)
		}
	}
	return a.outages.Start(ctx)
}

// told is what counts what this node told the webhook, nil without one.
func (a alerts) told() func() prom.Webhook {
	if a.webhook == nil {
		return nil
	}
	return func() prom.Webhook {
		c := a.webhook.Counts()
		return prom.Webhook{Delivered: c.Delivered, Rejected: c.Rejected, GivenUp: c.GivenUp, Failed: c.Failed}
	}
}

// stop ends them. It may be called before start.
func (a alerts) stop() {
	a.outages.Stop()
	if a.webhook != nil {
		a.webhook.Stop()
	}
}
