package door

import (
	"context"
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/guard"
)

// Hooks reports how webhooks are doing.
type Hooks interface {
	// Delivery returns how the webhook with a Ref is doing.
	Delivery(ctx context.Context, ref string) (HookState, error)
	// Test posts a test message to a webhook.
	Test(ctx context.Context, h people.Hook) error
}

// HookState is how a webhook is doing.
type HookState struct {
	Done    time.Time // when a post was last accepted; zero for never
	Failing time.Time // since when posts have failed; zero while they succeed
	Why     string    // the status code of an answer, or a word from page.hooks.why
	Waiting int       // how many posts are waiting
}

// Hook is one of the reader's webhooks.
type Hook struct {
	people.Hook
	Delivery HookState
}

// hookLimit is how many test posts a person may trigger in an hour, by making or testing webhooks.
const hookLimit = 20

// MyHooks lists the reader's webhooks.
func (v Settings) MyHooks() ([]Hook, error) {
	list, err := v.People.Hooks(v.Ctx(), v.Me)
	if err != nil {
		return nil, err
	}
	var out []Hook
	for _, h := range list {
		hook, err := v.withDelivery(h)
		if err != nil {
			return nil, err
		}
		out = append(out, hook)
	}
	return out, nil
}

func (v Settings) withDelivery(h people.Hook) (out Hook, err error) {
	out.Hook = h
	if v.Hooks != nil {
		out.Delivery, err = v.Hooks.Delivery(v.Ctx(), h.Ref)
	}
	return out, err
}

// MakeHook makes a webhook for the reader and posts a test message to it.
func (v Settings) MakeHook(address string, kinds []string) (Hook, error) {
	if err := v.hookQuota(); err != nil {
		return Hook{}, err
	}
	h, err := v.People.MakeHook(v.Ctx(), v.Me, address, kinds)
	if err != nil {
		return Hook{}, err
	}
	if v.Hooks != nil {
		err = v.Hooks.Test(v.Ctx(), h)
	}
	return Hook{Hook: h}, err
}

// TryHook posts a test message to one of the reader's webhooks, and restarts it if it was given up.
func (v Settings) TryHook(ref string) (Hook, error) {
	if err := v.hookQuota(); err != nil {
		return Hook{}, err
	}
	if err := v.People.RetryHook(v.Ctx(), v.Me, ref); err != nil {
		return Hook{}, hookMissing(err)
	}
	h, err := v.People.Hook(v.Ctx(), ref)
	if err == nil && v.Hooks != nil {
		err = v.Hooks.Test(v.Ctx(), h)
	}
	if err != nil {
		return Hook{}, hookMissing(err)
	}
	return v.withDelivery(h)
}

// RemoveHook removes one of the reader's webhooks.
func (v Settings) RemoveHook(ref string) error {
	return hookMissing(v.People.RemoveHook(v.Ctx(), v.Me, ref))
}

func (v Settings) hookQuota() error {
	if v.HooksOff {
		return domain.Refuse("hooks-off")
	}
	wait, err := v.People.Take(v.Ctx(), people.Limit{What: "hook\x00" + string(v.Me), Most: hookLimit, Per: time.Hour})
	if err == nil && wait > 0 {
		err = guard.Busy{Wait: wait}
	}
	return err
}

func hookMissing(err error) error {
	if errors.Is(err, people.ErrHook) {
		return events.ErrNoRecord
	}
	return err
}
