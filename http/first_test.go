package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATurnIsChosenStepByStepAndConfirmed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)

	p := ana.get("/t/" + table)
	require.Equal(t, 200, p.status)
	p = ana.get("/t/" + table + "?c=keep")
	form := p.form("/t/" + table + "/move")
	p = ana.send("/t/"+table+"/move", form)
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "moved", p.query.Get("done"))

	p = ana.send("/t/"+table+"/move", form)
	require.Equal(t, 200, p.status, "the same form again is answered as the first time")
	p = bo.send("/t/"+table+"/move", form)
	require.Equal(t, 409, p.status, "nobody plays another's form")
	form.Set("id", "00112233445566778899aabbccddeeff")
	p = ana.send("/t/"+table+"/move", form)
	require.Equal(t, 409, p.status)
	_ = url.Values{}
}
