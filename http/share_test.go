package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAStudyIsShownByItsMakerOnceTheGameIsOver(t *testing.T) {
	h := open(t)
	ana, bo, nobody := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	study := h.study(table, ana)
	again := h.study(study, ana)
	on := url.Values{"on": {"1"}}
	path := "/t/" + study
	share := func(b *browser, path string, form url.Values) int { return b.send(path+"/share", form).status }
	require.NotContains(t, ana.get(path).body, `id="share"`)
	p := ana.send(path+"/share", on)
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "once the games that it goes on from are over")
	require.Equal(t, 404, bo.get(path).status)

	h.breaksOff(table)
	require.Contains(t, ana.get(path).body, "This study is yours alone.")
	require.Equal(t, 404, bo.get(path).status, "it is shown by its maker, not by the end")
	require.Equal(t, 404, share(bo, path, on))
	require.Equal(t, 404, nobody.send(path+"/share", on).status)
	require.Equal(t, 200, share(ana, path, on))
	for _, b := range []*browser{bo, nobody} {
		require.Equal(t, 200, b.get(path).status)
		require.Equal(t, 200, b.get(path+"/audit").status)
		require.NotContains(t, b.get(path).body, `id="share"`)
		require.Equal(t, 404, b.get("/t/"+again).status, "another one was not shown")
	}
	require.Equal(t, 409, share(bo, path, on), "it is not Bo's to show")
	require.Equal(t, 409, share(ana, "/t/"+again, on), "it goes on from a study")
	require.Equal(t, 409, share(ana, "/t/"+table, on), "a game is shown already")
	require.Equal(t, 200, share(bo, path, url.Values{}), "nor to hide")
	require.Equal(t, 200, nobody.get(path).status)
	require.Equal(t, 200, share(ana, path, url.Values{}))
	require.Equal(t, 404, bo.get(path).status)
	require.Equal(t, 404, nobody.get(path).status)
}
