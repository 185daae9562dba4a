package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	nethttp "net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// benchPlayer plays at its tables in turn, over a connection of its own.
type benchPlayer struct {
	house  *house.House // nil if it is apart
	game   string
	wire   *benchWire
	tables []*benchTable
	next   int // index of the next table
	rand   *rand.Rand
	look   bool // looks at the page and the picture after each move
	bare   *benchWire

	receipts []string // of the moves at a house apart
}

// benchTable is a table and the two people who play there. Everyone has their own internet address, so that nobody
// exceeds the house's rate limits.
type benchTable struct {
	name  events.Name
	who   [2]benchPerson
	asked int // who is asked next, as far as the player knows
}

type benchPerson struct {
	id    domain.PersonID
	token string
	from  string // an internet address
}

// benchTimes is what one player did in a measurement.
type benchTimes struct {
	done         int
	moves, lists []time.Duration
}

// seated makes the players and the people they play as, and opens their tables.
func (c *HTTPCmd) seated(ctx context.Context, h *house.House) ([]*benchPlayer, error) {
	out := make([]*benchPlayer, c.Players)
	g, within := errgroup.WithContext(ctx)
	for i := range out {
		p := &benchPlayer{house: h, game: c.Game, wire: &benchWire{addr: h.Listen.Addr().String()}, look: c.Look,
			rand: rand.New(rand.NewPCG(7, uint64(i)))}
		out[i] = p
		g.Go(func() error {
			for n := range c.Tables {
				t := &benchTable{}
				for s := range t.who {
					var err error
					if t.who[s], err = newBenchPerson(within, h, (i*c.Tables+n)*len(t.who)+s, c.Mails); err != nil {
						return err
					}
				}
				if err := p.open(within, t); err != nil {
					return err
				}
				if c.Apart {
					if err := t.signsIn(within, h); err != nil {
						return err
					}
				}
				p.tables = append(p.tables, t)
			}
			return nil
		})
	}
	return out, g.Wait()
}

// newBenchPerson makes a new person with an API token.
func newBenchPerson(ctx context.Context, h *house.House, n int, mails bool) (p benchPerson, err error) {
	who, err := h.People.Ensure(ctx, people.Address(fmt.Sprintf("player%d@bench.example", n)), "en")
	if err != nil {
		return p, err
	}
	p.id, p.from = who.ID, fmt.Sprintf("10.%d.%d.%d", n>>16, n>>8&255, n&255)
	if err := h.People.SetName(ctx, p.id, fmt.Sprintf("Player %d", n)); err != nil {
		return p, err
	}
	if !mails {
		if err := h.People.SetMails(ctx, p.id, people.AllMails, false); err != nil {
			return p, err
		}
	}
	p.token, _, err = h.People.MakeToken(ctx, p.id, people.NewToken{Label: "bench", Scope: people.ScopePlay, Days: 1})
	return p, err
}

// signsIn confirms the address of whoever is to open further tables.
func (t *benchTable) signsIn(ctx context.Context, h *house.House) error {
	p, err := h.People.Person(ctx, t.who[0].id)
	if err != nil {
		return err
	}
	link, _, err := h.People.AskSignIn(ctx, p.Address, t.who[0].from, "en")
	if err != nil {
		return err
	}
	_, err = h.People.UseLink(ctx, link.Text())
	return err
}

// open opens a new table for the people of an old one; the house does the rest.
func (p *benchPlayer) open(ctx context.Context, t *benchTable) error {
	if p.house == nil {
		return p.opensApart(ctx, t)
	}
	name, err := benchOpens(ctx, p.house.Desk, p.game, p.rand, t.who[0].id, t.who[1].id)
	if err != nil {
		return err
	}
	t.name, t.asked = name, 0
	return p.told(ctx, t)
}

// acknowledged is what a player reads from the answer to a command.
type acknowledged struct {
	Table   string `json:"table"`
	Receipt string `json:"receipt"`
}

// opensApart opens a new table by the API, where the people of the old one sit down.
func (p *benchPlayer) opensApart(ctx context.Context, t *benchTable) error {
	var done acknowledged
	gives := func(who benchPerson, path, body string) error {
		id := events.NewCommandID()
		text := fmt.Appendf(nil, `{"id":"%s",%s}`, id, body)
		status, answer, err := p.wire.call(ctx, nethttp.MethodPost, "/api/v1/tables"+path, who, text)
		if err != nil {
			return err
		}
		if status != nethttp.StatusOK && status != nethttp.StatusCreated {
			return refusedBench(status, answer)
		}
		return json.Unmarshal(answer, &done)
	}
	seats := `"pace":"weekly","seats":[{"kind":"me"},{"kind":"open"}]`
	if err := gives(t.who[0], "", fmt.Sprintf(`"game":%q,%s`, p.game, seats)); err != nil {
		return err
	}
	table := done.Table
	for s, who := range t.who {
		sits := fmt.Sprintf(`"seat":%d,"chance":"%032x"`, s, p.rand.Uint64())
		if err := gives(who, "/"+table+"/join", sits); err != nil {
			return err
		}
	}
	t.asked = 0
	return t.name.UnmarshalText([]byte(table))
}

// table returns the next table to play at.
func (p *benchPlayer) table() *benchTable {
	p.next++
	return p.tables[p.next%len(p.tables)]
}

// listed is what a player reads from a list of moves.
type listed struct {
	Line     string          `json:"line"`
	Decision json.RawMessage `json:"decision"`
	Moves    []struct {
		Notation string `json:"notation"`
	} `json:"moves"`
}

// turn lists the moves at the next table and plays one of them.
func (p *benchPlayer) turn(ctx context.Context, times *benchTimes) error {
	t := p.table()
	for range 8 {
		for range t.who {
			began := time.Now()
			status, body, err := p.wire.call(ctx, nethttp.MethodGet,
				"/api/v1/tables/"+t.name.String()+"/moves?words=no", t.who[t.asked], nil)
			if err != nil {
				return err
			}
			times.lists = append(times.lists, time.Since(began))
			var l listed
			if status != nethttp.StatusOK {
				return refusedBench(status, body)
			}
			if err := json.Unmarshal(body, &l); err != nil {
				return fmt.Errorf("a list of moves: %w", err)
			}
			if len(l.Moves) == 0 {
				t.asked = 1 - t.asked
				continue
			}
			if err := p.plays(ctx, t, l.Line, l.Decision, l.Moves[p.rand.IntN(len(l.Moves))].Notation,
				times); err != nil {
				return err
			}
			return p.told(ctx, t)
		}
		if err := p.open(ctx, t); err != nil { // that game is over
			return err
		}
	}
	return errors.New("a new table asks nobody")
}

// moves plays a move at the next table that the player knows without asking the house.
func (p *benchPlayer) moves(ctx context.Context, times *benchTimes) error {
	t := p.table()
	for range 8 {
		var line, move string
		var decision domain.Open
		err := p.house.Desk.Peek(ctx, t.name, func(look desk.Look) error {
			if look.Line == nil || look.Table.Status != domain.TableStarted || len(look.Line.Awaited()) == 0 {
				return nil
			}
			decision = look.Line.Awaited()[0]
			m := drawnMove(look, decision, p.rand)
			if m == nil {
				return fmt.Errorf("seat %s is awaited and has no move", decision.Seat.Letter())
			}
			t.asks(look, decision)
			line, move = look.LineName.String(), look.Rulebook.FormatMove(m, nil)
			return nil
		})
		if err != nil {
			return err
		}
		if line == "" {
			if err := p.open(ctx, t); err != nil {
				return err
			}
			continue
		}
		text, err := json.Marshal(decision)
		if err != nil {
			return fmt.Errorf("a decision: %w", err)
		}
		return p.plays(ctx, t, line, text, move, times)
	}
	return errors.New("a new table asks nobody")
}

func (p *benchPlayer) plays(ctx context.Context, t *benchTable, line string, decision json.RawMessage, move string,
	times *benchTimes) error {
	// all ASCII
	body := fmt.Appendf(nil, `{"id":"%s","line":"%s","decision":%s,"move":%q}`, events.NewCommandID(), line, decision,
		move)
	began := time.Now()
	status, answer, err := p.wire.call(ctx, nethttp.MethodPost, "/api/v1/tables/"+t.name.String()+"/moves",
		t.who[t.asked], body)
	if err != nil {
		return err
	}
	if status != nethttp.StatusOK {
		return refusedBench(status, answer)
	}
	times.moves = append(times.moves, time.Since(began))
	times.done++
	if p.house == nil {
		var done acknowledged
		if err := json.Unmarshal(answer, &done); err != nil {
			return fmt.Errorf("an answer to a move: %w", err)
		}
		p.receipts = append(p.receipts, done.Receipt)
	}
	if p.look {
		return p.looks(ctx, t)
	}
	return nil
}

// looks asks for what a browser shows of a table: its page, and the picture that mails carry.
func (p *benchPlayer) looks(ctx context.Context, t *benchTable) error {
	for _, path := range []string{"/t/" + t.name.String(), "/api/v1/tables/" + t.name.String() + "/picture.png"} {
		status, body, err := p.wire.call(ctx, nethttp.MethodGet, path, t.who[t.asked], nil)
		if err != nil {
			return err
		}
		if status != nethttp.StatusOK {
			return refusedBench(status, body)
		}
	}
	return nil
}

// told learns who is asked next, as a program does from its webhook.
func (p *benchPlayer) told(ctx context.Context, t *benchTable) error {
	if p.house == nil { // most likely the other; the next list says it
		t.asked = 1 - t.asked
		return nil
	}
	return p.house.Desk.Peek(ctx, t.name, func(look desk.Look) error {
		if look.Line != nil {
			for _, o := range look.Line.Awaited() {
				t.asks(look, o)
			}
		}
		return nil
	})
}

// asks records who is asked for a decision.
func (t *benchTable) asks(look desk.Look, o domain.Open) {
	for i, w := range t.who {
		if look.Table.Places[o.Seat].Holds(w.id) {
			t.asked = i
		}
	}
}

// asks calls the server with empty answers.
func (p *benchPlayer) asks(ctx context.Context, addr string, times *benchTimes) error {
	if p.bare == nil {
		p.bare = &benchWire{addr: addr}
	}
	status, body, err := p.bare.call(ctx, nethttp.MethodGet, "/", p.tables[0].who[0], nil)
	if err == nil && status != nethttp.StatusNoContent {
		err = refusedBench(status, body)
	}
	times.done++
	return err
}

func refusedBench(status int, body []byte) error {
	if status == nethttp.StatusTooManyRequests {
		return errors.New("the house lets nobody ask so often for so long: give the players more " +
			"--tables, or a shorter --length")
	}
	return fmt.Errorf("the house answered %d: %s", status, body)
}

// bareServer answers every call with nothing.
func bareServer(ctx context.Context) (addr string, stop func(), err error) {
	listen, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	web := &nethttp.Server{ReadHeaderTimeout: 10 * time.Second,
		Handler: nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.WriteHeader(nethttp.StatusNoContent)
		})}
	go func() { _ = web.Serve(listen) }()
	return listen.Addr().String(), func() { _ = web.Close() }, nil
}
