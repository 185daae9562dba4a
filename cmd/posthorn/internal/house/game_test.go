package house_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/record"
	"posthorn/http/pagetest"
	"posthorn/mail"
)

// A game that has its line in domain/rulebooks works in the whole house: it is opened on a page, played by page, link
// and reply, tried on a copy, told as a story, and proved by its record.
func TestEveryGameWorksInTheWholeHouse(t *testing.T) {
	for _, rb := range rulebooks.All() {
		t.Run(rb.Name(), func(t *testing.T) {
			t.Parallel()
			p := newPlayers(t)
			require.NoError(t, p.People.SetLanguage(p.Ctx, p.bo.ID, "pl"))
			p.begin(rb)
			p.triesOnACopy()
			fresh := 0                                                       // decisions answered
			for n := 0; (n < 20 || fresh < 3) && n < 200 && !p.over(); n++ { // a turn may be many moves
				fresh += p.plays(fresh)
			}
			require.GreaterOrEqual(t, fresh, 3, "one by every door")
			if !p.over() { // a short game came to its end
				require.NotEmpty(t, p.proved().Skipped, "what is hidden cannot be checked yet")
				p.seats.Ends(p.table)
				p.seats.Follows(p.table)
			}
			p.isTold()
			require.Empty(t, p.proved().Skipped)
		})
	}
}

func (p *players) over() bool { return p.seats.Sees(p.table).Table.Status == domain.TableEnded }

func anyLetter(mail.Letter) bool { return true }

// link returns the first link of a letter's text that acts in its reader's name.
func link(text string) string { return regexp.MustCompile(`/p/[\w-]+`).FindString(text) }

// to presses the first button of the page's form that leads to a place of the table.
func (r *reader) to(place string, fields ...string) {
	r.p.t.Helper()
	for _, f := range pagetest.Forms(r.p.t, r.body) {
		if strings.HasSuffix(f.Action, place) {
			for i := 0; i < len(fields); i += 2 {
				f.Fields.Set(fields[i], fields[i+1])
			}
			r.sends(f, f.Buttons[0])
			return
		}
	}
	require.Fail(r.p.t, "no form to "+place, "%s\n%s", r.path, r.body)
}

// begin opens a table on the page for that, and seats its maker there, and the guest by the invitation.
func (p *players) begin(rb domain.Rulebook) {
	p.t.Helper()
	home, guest := p.reader(p.ana.Session), p.reader("")
	home.opens("/new/" + rb.Name())
	home.to("/new/"+rb.Name(), "address.1", "bob@example.org")
	table, err := events.ParseName(strings.TrimPrefix(home.path, "/t/"))
	require.NoError(p.t, err)
	p.table = table
	_, text := p.mailed(mail.KindInvitation, p.bo, anyLetter)
	guest.opens(link(text))
	guest.to("/join")
	home.to("/join")
	require.Eventually(p.t, func() bool { return p.seats.Sees(p.table).Line != nil }, posthorntest.Patient,
		5*time.Millisecond, "it does not begin: %s", p.Log)
}

// plays plays a move of whoever is awaited: the first of a decision by one door after the other, others on the page.
// It returns how many decisions began.
func (p *players) plays(before int) (began int) {
	p.t.Helper()
	look := p.seats.Sees(p.table)
	o, who := look.Line.Awaited()[0], p.ana
	if look.Table.Places[o.Seat].Holds(p.bo.ID) {
		who = p.bo
	}
	r, door := p.reader(who.Session), 0
	if look.LineHead.Version == o.Since {
		door, began = before%3, 1
	}
	if door == 0 {
		r.opens("/t/" + p.table.String())
		r.plays()
	} else if _, text := p.letter(who); door == 1 {
		r = p.reader("")
		r.opens(link(text))
		r.plays()
	} else {
		p.answers(who, regexp.MustCompile(`(?m)^ - (.+?) – `).FindStringSubmatch(text)[1], 1)
	}
	require.Greater(p.t, p.seats.Sees(p.table).LineHead.Version, look.LineHead.Version, "by door %d", door)
	return began
}

// plays plays a move that the page offers: by its first choices, or by a button that plays at once if there are none.
func (r *reader) plays() {
	r.p.t.Helper()
	for range 8 {
		now, err := url.Parse(r.path)
		require.NoError(r.p.t, err)
		chosen, deeper := now.Query()["c"], ""
		for _, to := range r.ways() {
			if len(to.Query()["c"]) > len(chosen) && deeper == "" {
				deeper = to.RequestURI()
			}
		}
		if deeper == "" {
			r.to("/move")
			return
		}
		r.opens(deeper)
	}
	require.Fail(r.p.t, "choices without end", "%s\n%s", r.path, r.body)
}

// triesOnACopy plays a move in a What if.
func (p *players) triesOnACopy() {
	p.t.Helper()
	r, before := p.reader(p.ana.Session), p.seats.Sees(p.table).LineHead.Version
	r.opens("/t/" + p.table.String())
	r.to("/sketch")
	r.plays()
	s, _, err := p.People.Sketch(p.Ctx, p.ana.ID, p.table)
	require.NoError(p.t, err)
	require.Len(p.t, s.Find(s.Last).Plies, 1)
	require.Equal(p.t, before, p.seats.Sees(p.table).LineHead.Version, "nothing is played")
}

// isTold reads the story and the table's other pages in every language, and the last letters: all have the points.
func (p *players) isTold() {
	p.t.Helper()
	look := p.seats.Sees(p.table)
	for _, page := range []string{"", "/story", "/print", "/tree", "/audit", "/line/" + look.LineName.String() + "/1"} {
		for _, lang := range languages.Complete() {
			status, body := p.Get("/t/"+p.table.String()+page, posthorntest.Guest{}, lang)
			require.Equal(p.t, 200, status, page)
			if page == "/story" {
				for _, n := range look.Rulebook.Standing(look.Line.State, domain.Spectator).Final {
					require.Contains(p.t, body, ">"+domain.Number(n)+"<", lang)
				}
			}
		}
	}
	for _, who := range []posthorntest.Guest{p.ana, p.bo} {
		_, text := p.mailed(mail.KindOver, who, anyLetter)
		require.Contains(p.t, text, "/t/"+p.table.String()+"/story")
	}
}

// proved verifies the record that Ana's page offers.
func (p *players) proved() *record.Report {
	p.t.Helper()
	status, text := p.Get("/t/"+p.table.String()+"/record", p.ana, "en")
	require.Equal(p.t, 200, status, text)
	f, err := record.Read(strings.NewReader(text))
	require.NoError(p.t, err)
	report, err := record.Verify(f, rulebooks.Named)
	require.NoError(p.t, err)
	return report
}
