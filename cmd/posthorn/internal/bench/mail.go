package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"

	"github.com/emersion/go-smtp"
	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
)

// MailCmd sends letters with their pictures.
type MailCmd struct {
	benchSettings
	Letters int    `help:"How many letters each measurement sends." default:"64"`
	Game    string `help:"What they are about." default:"carcassonne" enum:"carcassonne,catan,rivals"`
}

// Help returns the long help of the sub-command.
func (MailCmd) Help() string {
	return `Plays a move at each of many tables, and has the house's own sender write to whoever is next,
pictures and all, seal and sync each letter and send it to a mail server on loopback that
takes everything and keeps nothing. Beside that stand the same messages, ready-made, sent by
the same client over as many connections. Figures are for a letter; the server is reckoned in.`
}

// Run measures and prints.
func (c *MailCmd) Run(ctx context.Context, con console.Console) error {
	if c.Letters < 1 {
		return errors.New("--letters must be at least 1")
	}
	taken, err := newBenchPost()
	if err != nil {
		return err
	}
	defer func() { _ = taken.server.Close() }()
	title := fmt.Sprintf("letters about %s, %d at a time over %d connections", c.Game, c.Letters,
		mail.DefaultConnections)
	return c.measured(ctx, con, title, house.Settings{SMTP: taken.address},
		func(ctx context.Context, h *house.House) ([]benchPart, error) {
			return c.parts(ctx, h, taken)
		})
}

func (c *MailCmd) parts(ctx context.Context, h *house.House, taken *benchPost) ([]benchPart, error) {
	tables := make([]*letterTable, c.Letters)
	for i := range tables {
		t := &letterTable{rnd: rand.New(rand.NewPCG(7, uint64(i)))}
		for s := range t.who {
			p, err := newBenchPerson(ctx, h, i*len(t.who)+s, true)
			if err != nil {
				return nil, err
			}
			t.who[s] = p.id
		}
		tables[i] = t
	}
	queue := func(ctx context.Context) error {
		taken.clear()
		notifier := &mail.Notifier{Desk: h.Desk, Outbox: h.Outbox}
		for _, t := range tables {
			if err := t.goOn(ctx, h, c.Game, notifier); err != nil {
				return err
			}
		}
		return nil
	}
	send := benchPart{name: "written and sent", ready: queue, once: func(ctx context.Context) (int, error) {
		for before := -1; before < taken.count(); {
			before = taken.count()
			if err := h.Sender.Flush(ctx); err != nil {
				return 0, err
			}
		}
		return taken.count(), nil
	}}
	if _, err := send.measure(ctx, 0); err != nil { // this paints the first parts of pictures, and makes the messages
		return nil, err
	}
	readyMade, octets := taken.messages(), 0
	for _, m := range readyMade {
		octets += len(m.text)
	}
	bare := benchPart{name: fmt.Sprintf("ready-made, %d kB each, sent", octets/len(readyMade)/1000),
		once: func(ctx context.Context) (int, error) {
			taken.clear()
			g, ctx := errgroup.WithContext(ctx)
			g.SetLimit(mail.DefaultConnections)
			for _, m := range readyMade {
				g.Go(func() error {
					_, err := h.SMTP.Send(ctx, m.from, m.to, m.text)
					return err
				})
			}
			return len(readyMade), g.Wait()
		}}
	return []benchPart{bare, send}, nil
}

// letterTable is a table that letters are written about.
type letterTable struct {
	who   [2]domain.PersonID
	name  events.Name
	rnd   *rand.Rand
	asked domain.Open // what the last letter was about
}

// movesBefore is how many moves are played before a letter about a game.
const movesBefore = 24

// goOn plays on until somebody is asked for something new, and queues a letter about it.
func (t *letterTable) goOn(ctx context.Context, h *house.House, game string, notifier *mail.Notifier) (err error) {
	version := uint64(movesBefore)
	for {
		if t.name.IsZero() {
			if t.name, err = benchOpens(ctx, h.Desk, game, t.rnd, t.who[:]...); err != nil {
				return err
			}
		}
		look, err := benchPlay(ctx, h.Desk, t.name, version, drawnMove, t.rnd)
		if err != nil {
			return err
		}
		wanted, err := notifier.Wanted(ctx, t.name)
		if err != nil {
			return err
		}
		for _, n := range wanted {
			if n.Kind == mail.KindTurn && n.Open != t.asked {
				t.asked, n.Wait = n.Open, 0 // nobody has the page open
				return h.Outbox.Want(ctx, 0, n)
			}
		}
		if version = look.LineHead.Version + 1; look.Table.Status == domain.TableEnded {
			t.name, t.asked, version = events.Name{}, domain.Open{}, movesBefore
		}
	}
}

// benchPost is a mail server that accepts everything.
type benchPost struct {
	address string
	server  *smtp.Server
	mu      sync.Mutex
	taken   []benchMessage
}

type benchMessage struct {
	from, to string
	text     []byte
}

func newBenchPost() (*benchPost, error) {
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("a mail server: %w", err)
	}
	p := &benchPost{address: "smtp://" + listen.Addr().String()}
	p.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &benchSession{post: p}, nil
	}))
	p.server.Domain = "localhost"
	go func() { _ = p.server.Serve(listen) }()
	return p, nil
}

func (p *benchPost) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = nil
}

func (p *benchPost) count() int { return len(p.messages()) }

func (p *benchPost) messages() []benchMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// benchSession is a connection to benchPost.
type benchSession struct {
	post     *benchPost
	from, to string
}

func (s *benchSession) Reset()        {}
func (s *benchSession) Logout() error { return nil }

func (s *benchSession) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *benchSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *benchSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.post.mu.Lock()
	defer s.post.mu.Unlock()
	s.post.taken = append(s.post.taken, benchMessage{s.from, s.to, text})
	return nil
}
