package secrets

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http"
	"posthorn/mail"
)

// asked is a random table about which mails, lists, pages, the API and links must agree.
type asked struct {
	*twinHouse
	cast  *cast
	rnd   *rand.Rand
	table events.Name
	past  []mail.Notice // everything that anybody was ever written to about
	seen  map[desk.AskKind]int
	stale map[desk.Stale]int
	kinds map[string]int // of tables, and of how people sit there
	lines []events.Name  // tables that were played at, for branching
}

func TestMailsListsPagesAndLinksAgreeAboutWhatIsAsked(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	h := c.houseOf(t, append(rulebooks.All(), tiny.Rulebook))
	a := &asked{twinHouse: h, cast: c, rnd: rand.New(rand.NewPCG(10, 1)), seen: map[desk.AskKind]int{},
		stale: map[desk.Stale]int{}, kinds: map[string]int{}}
	most := 10
	if os.Getenv("POSTHORN_LONG") == "1" {
		most = 200
	}
	for tables := 0; tables < most || len(a.unseen()) > 0; tables++ {
		require.Less(t, tables, 1000, "never seen: %v", a.unseen())
		a.opens()
		for range 30 {
			a.happens()
			a.agrees()
		}
	}
}

// unseen returns what has not come up yet. Names and luck are new in every run, so the tables go on until everything
// has.
func (a *asked) unseen() (list []string) {
	for _, kind := range []desk.AskKind{desk.AskTurn, desk.AskConsent, desk.AskInvitation, desk.AskOver} {
		if a.seen[kind] == 0 {
			list = append(list, fmt.Sprintf("an ask of kind %v", kind))
		}
	}
	for _, why := range []desk.Stale{desk.StalePlayed, desk.StaleAnswered, desk.StaleLapsed,
		desk.StaleRewound,
		desk.StaleBegan, desk.StaleEnded} {
		if a.stale[why] == 0 {
			list = append(list, fmt.Sprintf("something not asked any more because it was %v", why))
		}
	}
	for _, kind := range []string{"study", "game", "of several", "of one at several seats", "with an order"} {
		if a.kinds[kind] == 0 {
			list = append(list, "a table "+kind)
		}
	}
	return list
}

// opens opens a table with seats of every kind.
func (a *asked) opens() {
	a.t.Helper()
	n := desk.NewTable{Rulebook: "tiny", Pace: "weekly"} // its tables reach every possible state in a few moves
	if games := []string{"carcassonne", "catan", "rivals"}; a.rnd.IntN(5) == 0 {
		n.Rulebook = games[a.rnd.IntN(len(games))]
	}
	who := a.cast.players()
	if len(a.lines) > 0 && a.rnd.IntN(3) == 0 {
		n.Branch, n.Rulebook = a.branch()
	}
	alone := a.rnd.IntN(3) == 0
	for i := range 2 {
		if alone {
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer,
				Invited: []domain.PersonID{who[0].id}})
			continue
		}
		switch a.rnd.IntN(6) {
		case 0:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatTeam,
				Invited: []domain.PersonID{who[i].id, who[2+i].id}})
		case 1:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatOpen})
		case 2:
			if i > 0 {
				n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"})
				continue
			}
			fallthrough
		default:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer,
				Invited: []domain.PersonID{who[a.rnd.IntN(len(who))].id}})
		}
	}
	ans, err := a.desk.Open(a.ctx, events.Actor{Person: who[0].id, Door: "page"}, events.NewCommandID(), n)
	require.NoError(a.t, err)
	a.table, a.past = ans.Table, nil
	a.server, err = http.New(a.pages) // with no requests counted yet: the clock stands still
	require.NoError(a.t, err)
	if n.Branch != nil {
		a.kinds[n.Branch.Kind]++
	}
}

// branch returns some moment of a table that was played at, and its game.
func (a *asked) branch() (*domain.Branch, string) {
	from, err := a.desk.Look(a.ctx, a.lines[a.rnd.IntN(len(a.lines))])
	require.NoError(a.t, err)
	return &domain.Branch{Table: from.Name.String(), Line: from.LineName.String(),
		Version: uint64(1 + a.rnd.IntN(int(from.LineHead.Version))),
		Kind:    []string{"study", "game"}[a.rnd.IntN(2)]}, from.Table.Rulebook
}

// happens does something at the table, as anybody, allowed or not; what is refused did not happen.
func (a *asked) happens() {
	a.t.Helper()
	look := a.look()
	who := a.cast.players()[a.rnd.IntN(len(a.cast.players()))].id
	other := a.cast.players()[a.rnd.IntN(len(a.cast.players()))].id
	seat := domain.Seat(a.rnd.IntN(len(look.Table.Places)))
	switch look.Table.Status {
	case domain.TableOpen:
		a.gathers(look, who, other, seat)
	case domain.TableStarted:
		a.plays(look, who, seat)
	default:
		a.does(who, desk.Say{Written: desk.Written{Text: []byte("cipher")}})
	}
	if a.rnd.IntN(4) > 0 { // otherwise the runner is late
		_, err := a.desk.Advance(a.ctx, a.table)
		require.NoError(a.t, err)
	}
}

func (a *asked) gathers(look desk.Look, who, other domain.PersonID, seat domain.Seat) {
	if s, ok := look.Table.InvitedTo(who); ok {
		seat = s
	}
	switch k := a.rnd.IntN(10); {
	case k < 6:
		a.does(who, desk.Join{Seat: seat, Chance: []byte("sixteen bytes or more")})
	case k < 7:
		a.does(who, desk.Decline{Seat: seat, Person: who})
	case k < 9:
		a.does(look.Table.Opener, desk.Invite{Seat: seat, Person: other})
	default:
		a.does(who, desk.Say{Written: desk.Written{Text: []byte("cipher")}})
	}
}

func (a *asked) plays(look desk.Look, who domain.PersonID, seat domain.Seat) {
	since := uint64(0)
	if p := look.Table.Proposal; p != nil {
		since = p.Since
	}
	switch k := a.rnd.IntN(43); {
	case k < 22:
		a.moves(look)
	case k >= 40:
		a.orders(look, who, seat)
	case k < 27 && look.Line != nil:
		to := uint64(1 + a.rnd.IntN(int(look.Line.Version)+1))
		a.does(who, desk.ProposeRewind{To: to, Fresh: a.rnd.IntN(2) == 0})
	case k < 28:
		a.does(who, desk.ProposeEnd{})
	case k < 37:
		a.does(who, desk.Agree{Since: since})
	case k < 39:
		a.does(who, desk.Refuse{Since: since})
	default:
		a.does(who, desk.Resign{Seat: seat})
	}
}

// orders makes a seat order a keep or a swap beforehand, or take its orders back.
func (a *asked) orders(look desk.Look, who domain.PersonID, seat domain.Seat) {
	now, err := a.desk.Orders(a.ctx, a.table, seat, who)
	if a.noError(err); err != nil {
		return
	}
	list := [][]string{{"keep"}, {"roll"}, nil}[a.rnd.IntN(3)]
	_, err = a.desk.SetOrders(a.ctx, events.Actor{Person: who, Door: "page"}, a.table, seat, events.NewCommandID(),
		now.Version, list, nil)
	if a.noError(err); err == nil && list != nil {
		a.kinds["with an order"]++
	}
}

// moves makes a random move for somebody whose decision is awaited.
func (a *asked) moves(look desk.Look) {
	if look.Line == nil || look.Table.Due != "" || len(look.Line.Awaited()) == 0 {
		return
	}
	o := look.Line.Awaited()[a.rnd.IntN(len(look.Line.Awaited()))]
	place := look.Table.Places[o.Seat]
	actor := events.House
	if place.Humans() {
		actor = events.Actor{Person: place.Holders[a.rnd.IntN(len(place.Holders))], Door: "page"}
	} else if look.Table.Proposal != nil {
		return
	}
	var mv domain.Move
	n := 0
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		if n++; a.rnd.IntN(n) == 0 {
			mv = m
		}
		if n == 50 {
			break
		}
	}
	_, err := a.desk.Play(a.ctx, actor,
		desk.Move{ID: events.NewCommandID(), Table: a.table, Line: look.LineName, Seat: o.Seat, Decision: o,
			Move: mv})
	a.noError(err)
}

func (a *asked) does(who domain.PersonID, c desk.Command) {
	_, err := a.desk.Do(a.ctx, events.Actor{Person: who, Door: "page"}, a.table, events.NewCommandID(), c)
	a.noError(err)
}

func (a *asked) noError(err error) {
	a.t.Helper()
	if _, refused := domain.AsRefusal(err); !refused {
		require.NoError(a.t, err)
	}
}

func (a *asked) look() desk.Look {
	look, err := a.desk.Look(a.ctx, a.table)
	require.NoError(a.t, err)
	return look
}
