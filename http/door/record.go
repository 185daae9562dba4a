package door

import (
	"bytes"
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/events"
)

// Record sends the table's record, as the reader may have it.
func (v *Visit) Record() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if v.Export == nil {
		return events.ErrNoStream
	}
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return err
	}
	var b bytes.Buffer // whole before it is sent, so that what fails is an error page and no torn record
	if err := v.Export(v.Ctx(), name, look.Table.ViewerOf(v.Me, domain.Nobody), &b); err != nil {
		return err
	}
	v.Response().Header().Set("Content-Disposition", `attachment; filename="posthorn-`+name.String()+`.jsonl"`)
	return v.Blob(nethttp.StatusOK, "application/jsonl; charset=utf-8", b.Bytes())
}
