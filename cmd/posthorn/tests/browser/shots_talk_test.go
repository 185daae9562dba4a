package browser

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// merchant is a position of the Rivals in which the opponent's Merchant takes a brick from Ana, who says from where.
const merchant = `{"phase":"act","active":"B","tasks":[{"kind":"pay","seat":"A","need":[1,0,0,0,0,0],"card":"merchant"},{"kind":"gain","seat":"B","need":[1,0,0,0,0,0],"card":"merchant"}],
"seats":[{"towns":["-1 settlement","0 settlement","1 settlement"],"hand":["parish_hall"],
"regions":["-1a hills5 2","-1b pasture6 1","0a forest2 2","0b hills3 2","1a gold_field1 3","1b pasture4 1","2a fields6 1","2b mountains5 0"]},{}]}`

// trades stops in a seat's turn when it has a card to offer.
func trades(seat domain.Seat) func(*stage, desk.Look) bool {
	turn := awaits(seat, "turn", 20)
	return func(s *stage, look desk.Look) bool {
		if !turn(s, look) {
			return false
		}
		_, offers := anOffer(look, seat)
		return offers
	}
}

// anOffer returns the first offer of one card for another that a seat may make to all, and that the first seat may
// accept.
func anOffer(look desk.Look, seat domain.Seat) (domain.Move, bool) {
	goods := []string{"wool", "ore", "brick", "grain", "lumber"}
	for _, give := range goods {
		for _, want := range goods {
			m, err := look.Rulebook.ParseMove("offer 1 "+give+" for 1 "+want, nil)
			if err != nil {
				continue
			}
			e, err := look.Rulebook.Decide(look.Line.State, seat, m, nil)
			if err != nil {
				continue
			}
			e.Seat = seat // as the house fills it in
			then := look.Rulebook.Clone(look.Line.State)
			look.Rulebook.Evolve(then, &e)
			for answer := range look.Rulebook.Legal(then, 0) {
				if strings.HasPrefix(look.Rulebook.FormatMove(answer, nil), "accept") {
					return m, true
				}
			}
		}
	}
	return nil, false
}

// discussed makes tables where people have answered each other: a move that is not taken back, a game that is stopped
// where it is, and cards that Bo offers to Ana.
func (s *stage) discussed() {
	s.t.Helper()
	ctx := context.Background()
	at := func(name string) desk.Look {
		look, err := s.Desk.Look(ctx, s.tables[name])
		require.NoError(s.t, err)
		return look
	}
	s.do(s.who[0], s.tables["refused"], desk.ProposeRewind{To: at("refused").Line.Version - 2})
	s.do(s.who[1], s.tables["refused"], desk.Refuse{Since: at("refused").Table.Proposal.Since})
	s.do(s.who[1], s.tables["stopped"], desk.ProposeEnd{})
	s.do(s.who[0], s.tables["stopped"], desk.Agree{Since: at("stopped").Table.Proposal.Since})
	look := at("catan-offer")
	offer, ok := anOffer(look, 1)
	require.True(s.t, ok)
	for _, o := range look.Line.Awaited() {
		if o.Seat == 1 {
			_, err := s.Desk.Play(ctx, events.Actor{Person: s.who[1], Door: "page"},
				desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: 1, Decision: o,
					Move: offer})
			require.NoError(s.t, err)
		}
	}
	for _, name := range []string{"refused", "stopped", "catan-offer"} {
		_, err := s.Desk.Advance(ctx, s.tables[name])
		require.NoError(s.t, err)
	}
}

// answering returns pages of the mailbox: a letter that can be answered, the form for the answer, and the result.
func answering(letters []letterShot) []shotOf {
	i := slices.IndexFunc(letters, func(l letterShot) bool { return l.name == "mail-turn-carcassonne" })
	return []shotOf{{"mailbox-letter", "/mailbox/" + letters[i].ID, -1},
		{"mailbox-answer", "/mailbox/" + letters[i].ID + "/answer", -1},
		{"mailbox-answered", "/mailbox?to=" + url.QueryEscape(letters[i].To) + "&sent=1", -1}}
}

// misfilled maps pages whose form is refused to the script that fills it in and sends it.
var misfilled = map[string]string{
	"settings-refused": `const f = document.querySelector("input[name=name]"); f.value = "www.example.org"; f.form.submit()`,
}

// refuses sends the form of the open page so that it is refused, if its picture shows that.
func (b *browser) refuses(p shotOf) {
	if js := misfilled[p.name]; js != "" {
		b.leads(p.name, func() { b.script(js) })
		require.True(b.t, b.has("[role=alert]"), "%s: nothing is refused", p.name)
	}
}
