package browser

import (
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// pastesReceipts pastes the visible text of a mail, forwarded and quoted, and then the mail's source, into the page
// that checks its table's receipts. The record agrees, but not after a letter is changed.
func (b *browser) pastesReceipts(p *posthorntest.Running, mail, table string) {
	b.t.Helper()
	b.open(p.Base + "/mailbox/" + mail + "/html")
	seen := "---------- Forwarded message ---------\n> " + strings.ReplaceAll(b.text("body"), "\n", "\n> ")
	source := p.Get("/mailbox/" + mail + "/source")
	at := strings.Index(source, "posthorn-receipt")
	require.Positive(b.t, at)
	source = strings.ReplaceAll(source[max(0, at-500):min(len(source), at+1000)], "\r", "") // as a form has it
	changed := strings.Replace(seen, "posthorn-receipt-1:"+table[:8],
		"posthorn-receipt-1:"+strings.Map(func(r rune) rune {
			return map[bool]rune{true: '1', false: '0'}[r == '0']
		}, table[:8]), 1)
	require.NotEqual(b.t, seen, changed)
	for _, c := range []struct{ text, says string }{
		{seen, "The record says the same"},
		{source, "The record says the same"},
		{changed, "not signed by this server"},
	} {
		b.open(p.Base + "/t/" + table + "/audit")
		b.press(`a[href$="/receipts"]`)
		b.do(chromedp.SetValue(`textarea[name=text]`, c.text))
		b.press(`form[method=post] button.go`)
		require.Contains(b.t, b.text("main"), c.says)
		b.shot("receipts-" + strings.Fields(c.says)[0])
	}
}
