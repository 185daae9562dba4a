package http_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/pass"
	"posthorn/http/pagetest"
)

// What is called optional may stay empty, without a script too: on the page of a table and by the link of an
// invitation.
func TestNobodyHasToAddToTheLuck(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.opens("tiny", map[string][]string{"pace": {"weekly"}}, ana, bo).path[len("/t/"):]
	for i, c := range []struct {
		b    *browser
		path string
	}{{ana, "/t/" + table}, {h.browser(), "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: bo.id,
		Stream: h.look(table).Name, Seat: 1, Since: 1})}} {
		body := c.b.get(c.path).body
		require.NotContains(t, regexp.MustCompile(`<input name="chance"[^>]*>`).FindString(body), "required")
		form := pagetest.Of(t, body, c.path+"/join")
		fields := form.Press(form.Buttons[0])
		require.Empty(t, fields.Get("chance"))
		p := c.b.send(c.path+"/join", fields)
		require.Equal(t, 200, p.status, p.body)
		require.Equal(t, "joined", p.query.Get("done"))
		all := h.look(table).Table.Contributions
		require.Len(t, all, i+1)
		require.Regexp(t, "^[0-9a-f]{64}$", string(all[i].Bytes))
		c.b.send(c.path+"/join", fields)
		require.Equal(t, all, h.look(table).Table.Contributions, "the same press adds the same once")
	}
	h.settle(table)
	require.Equal(t, domain.TableStarted, h.look(table).Table.Status)
}
