package pages

import (
	nethttp "net/http"

	"posthorn/http/guard"
)

// data sends everything the house holds about the reader, as it reads it.
func (v settingsPages) data() error {
	if wait, ok := v.site.data.Allow(string(v.Me) + " at " + v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	h := v.Response().Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="posthorn-data-`+v.Now().UTC().Format("2006-01-02")+`.json"`)
	h.Set("Cache-Control", "no-store")
	v.Response().WriteHeader(nethttp.StatusOK)
	if v.Request().Method == nethttp.MethodHead {
		return nil
	}
	return v.Data(v.Response())
}
