package walk

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/events"
	"posthorn/mail"
)

// stays has a page that somebody looks at answer its stream, as its script does.
func (w *walk) stays(b *browser, p *page) {
	each(p.doc, func(n *html.Node) bool {
		a := attrs(n)
		if a["data-here"] == "" {
			return true
		}
		to := strings.TrimSuffix(a["data-live"], "live") + "here"
		w.reached["POST "+w.route("POST", to)]++
		w.stayed[a["data-table"]] = time.Now()
		answer := b.ask("POST", to, url.Values{"who": {a["data-here"]}})
		if answer.Code != http.StatusNoContent {
			w.wrong("a page that is looked at", p.route, "POST %s of %s: %d", to, b.who, answer.Code)
		}
		return false
	})
}

// held judges what is not mailed because its person is at the table: only where a page has answered within the minute.
func (w *walk) held(table events.Name) {
	rows, err := w.house.Outbox.Letters(w.house.ctx, table)
	require.NoError(w.t, err)
	last := w.stayed[table.String()]
	for _, l := range rows {
		if l.State == mail.StateNew && l.Note == "held: at the table" {
			w.reached["held"]++
			if l.Due.After(last.Add(time.Minute + time.Millisecond)) {
				w.wrong("held too long", string(l.Kind), "a %s to %s is held until %s, and a page answered last at %s",
					l.Kind, w.named(l.Person), l.Due, last)
			}
		}
	}
}
