package http_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
)

var receiptOnPage = regexp.MustCompile(`posthorn-receipt-1:[0-9a-f:]+:[A-Za-z0-9_-]{86}`)

// Given a receipt that Ana kept, when she or a stranger pastes it, whole, quoted and wrapped, altered or cut, then the
// page says whether it matches.
func TestAReceiptIsPastedAndHeldAgainstTheRecord(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table, other := h.listed("tiny", ana, bo), h.listed("tiny", ana, bo)
	kept := receiptOnPage.FindString(ana.get("/t/" + table).body)
	require.NotEmpty(t, kept)
	elsewhere := receiptOnPage.FindString(ana.get("/t/" + other).body)
	require.Contains(t, ana.get("/t/"+table+"/audit").body, `href="/t/`+table+`/receipts"`)
	altered := kept[:80] + map[bool]string{true: "1", false: "0"}[kept[80] == '0'] + kept[81:]
	for name, c := range map[string]struct{ text, says string }{
		"as it stands": {kept, "The record says the same"},
		"quoted and wrapped": {"On Monday Bo wrote:\n> Your turn.\n> " + kept[:60] + "\n> " + kept[60:120] + "\n> " +
			kept[120:] + "\n", "The record says the same"},
		"of another table": {elsewhere, "This receipt belongs to another table"},
		"altered":          {altered, "not signed by this server"},
		"cut":              {kept[:100], "One receipt in the text is incomplete"},
		"no receipt":       {"Hello!", "There is no complete receipt in this text"},
		"nothing":          {"", "There is no complete receipt in this text"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, who := range []*browser{ana, stranger} {
				p := who.send("/t/"+table+"/receipts", url.Values{"text": {c.text}})
				require.Equal(t, 200, p.status)
				require.Contains(t, p.body, c.says)
				require.Equal(t, c.says == "The record says the same",
					strings.Contains(p.body, `/t/`+table+`/audit?of=0`))
			}
		})
	}
	require.Equal(t, 404, stranger.get("/t/"+strings.Repeat("ab", 16)+"/receipts").status)
}

// Once a table has ended, the API gives the receipt of that end, too: that of the line does not prove it.
func TestTheReceiptOfAnEndComesByTheAPI(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.listed("tiny", ana, bo)
	require.NotContains(t, ana.get("/api/v1/tables/"+table).json(), "table_receipt")
	play, look := desktest.House{Desk: h.desk, T: t, Ctx: t.Context()}, h.look(table)
	play.Ends(look.Name)
	play.Follows(look.Name)
	said := ana.get("/api/v1/tables/" + table).json()
	look = h.look(table)
	r, err := events.ReadReceipt(h.desk.Keys().PublicKey(), said["table_receipt"].(string))
	require.NoError(t, err)
	require.Equal(t, events.Receipt{Table: look.Name, Stream: look.Name, Version: look.TableHead.Version,
		Hash: look.TableHead.Hash}, r)
}
