package pages

import (
	"strconv"

	"posthorn/http/door"
)

// hooksPage is where people make and remove webhooks.
type hooksPage struct {
	Made  string // the secret of the webhook just made, shown only this once
	Hooks []hookRow
	Kinds []choice
}

type hookRow struct {
	door.Hook
	State string
	Over  bool // it was given up
}

// hooks shows the reader's webhooks.
func (v settingsPages) hooks() error { return v.showHooks("") }

func (v settingsPages) showHooks(made string) error {
	list, err := v.Settings().MyHooks()
	if err != nil {
		return err
	}
	page := hooksPage{Made: made}
	for _, h := range list {
		page.Hooks = append(page.Hooks, hookRow{h, v.hookState(h), !h.Off.IsZero()})
	}
	for _, k := range v.People.PostedKinds {
		page.Kinds = append(page.Kinds,
			choice{Value: k, Label: v.T("mails." + k), Selected: k == "turn" || k == "consent"})
	}
	return v.render("hooks", sheet{Title: v.T("page.hooks.title"), Body: page})
}

// hookState describes how a webhook is doing.
func (v settingsPages) hookState(h door.Hook) string {
	switch f := h.Delivery; {
	case !h.Off.IsZero():
		return v.T("page.hooks.off", "ago", v.Ago(h.Off), "why", v.hookWhy(h.Why))
	case !f.Failing.IsZero():
		return v.T("page.hooks.failing", "ago", v.Ago(f.Failing), "why", v.hookWhy(f.Why))
	case !f.Done.IsZero():
		return v.T("page.hooks.works", "ago", v.Ago(f.Done))
	}
	return v.T("page.hooks.unused")
}

// hookWhy describes why posts fail.
func (v settingsPages) hookWhy(why string) string {
	if n, err := strconv.Atoi(why); err == nil {
		return v.T("page.hooks.status", "n", strconv.Itoa(n))
	}
	return v.T("page.hooks.why." + why)
}

// makeHook makes a webhook and shows its secret, which cannot be shown again.
func (v settingsPages) makeHook() error {
	h, err := v.Settings().MakeHook(v.FormValue("address"), v.Request().Form["kind"])
	if err != nil {
		return err
	}
	return v.showHooks(h.Secret)
}

// tryHook posts a test message to a webhook.
func (v settingsPages) tryHook() error {
	_, err := v.Settings().TryHook(v.FormValue("hook"))
	return v.after(err, "/settings/hooks", "tried")
}

// removeHook removes a webhook.
func (v settingsPages) removeHook() error {
	return v.after(v.Settings().RemoveHook(v.FormValue("hook")), "/settings/hooks", "saved")
}
