package door

import (
	"bytes"
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/events"
)

// Record sends the table's record, as the reader may have it.
func (v *Visit) Record() error {
	if v.Export == nil {
		return events.ErrNoStream
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	var b bytes.Buffer // whole before it is sent, so that what fails is an error page and no torn record
	if err := v.Export(v.Ctx(), v.Table, look.Table.ViewerOf(v.Me, domain.Nobody), &b); err != nil {
		return err
	}
	v.Response().Header().Set("Content-Disposition", `attachment; filename="posthorn-`+v.Table.String()+`.jsonl"`)
	return v.Blob(nethttp.StatusOK, "application/jsonl; charset=utf-8", b.Bytes())
}
