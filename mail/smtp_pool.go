package mail

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DefaultConnections is how many letters are on their way at once.
const DefaultConnections = 8

// SMTP is a transport over several connections, which are kept while they are of use.
type SMTP struct {
	server server
	// Session and Letter bound how long it may take to be signed in, and to hand a letter over.
	Session, Letter time.Duration

	mu       sync.Mutex
	idle     []*connection
	open     int           // idle, busy, or being made
	standing int           // of these, made
	ceiling  int           // how many may be open now
	most     int           // how many may ever be
	freed    chan struct{} // closed, and made anew, when a connection is given back or has ended
	tidy     *time.Timer   // parts from those that stay idle
	closed   bool
}

// keepIdle is how long a connection is kept that nothing goes over.
const keepIdle = 30 * time.Second

// farewell is how long parting from a server may take.
const farewell = 2 * time.Second

// NewSMTP reads the address of a mail server: smtp:// uses STARTTLS unless ?tls=off is said
// or the host is loopback (?tls=on insists there too), smtps:// speaks TLS from the start.
// hello is the name we greet with; connections is how many there may be at once.
func NewSMTP(address, hello string, connections int) (*SMTP, error) {
	to, err := readServer(address, hello)
	if err != nil {
		return nil, err
	}
	most := max(connections, 1)
	return &SMTP{server: to, Session: sessionTime, Letter: letterTime, most: most, ceiling: most, freed: make(chan struct{})}, nil
}

var errClosed = errors.New("the transport is closed")

// Send hands a message over. A connection that was lost while nothing went over it is made
// anew. The error is a *Verdict where the server judged the letter, a *Lost where the
// connection was lost over it, and anything else where there is no session to send it in.
func (s *SMTP) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	c, err := s.take(ctx)
	if err != nil {
		return "", err
	}
	bound, cancel := context.WithTimeout(ctx, s.Letter)
	defer cancel()
	if err = s.begin(bound, c, from); err != nil && c.used {
		// It was kept, and meanwhile the server has hung up or had enough of it.
		c.cut()
		s.count(0, -1)
		if c, err = s.dial(ctx); err != nil {
			return "", err
		}
		err = s.begin(bound, c, from)
	}
	if err != nil {
		s.drop(c)
		return "", err
	}
	answer, err := c.deliver(bound, to, message)
	if err != nil && (!errors.As(err, new(*Verdict)) || !c.begins(bound)) {
		s.drop(c)
		return answer, err
	}
	s.give(c)
	return answer, err
}

// begin names the sender: what goes wrong here is of the session.
func (s *SMTP) begin(ctx context.Context, c *connection, from string) error {
	defer c.boundBy(ctx)()
	if err := c.client.Mail(from, nil); err != nil {
		return fmt.Errorf("sender: %w", because(ctx, err))
	}
	return nil
}

// Try greets and signs in, and parts again: what "doctor" does without a letter.
func (s *SMTP) Try(ctx context.Context) error {
	bound, cancel := context.WithTimeout(ctx, s.Session)
	defer cancel()
	c, err := s.server.connect(bound)
	if err != nil {
		return err
	}
	c.part(bound)
	return nil
}

// take finds a connection that is idle, or makes one. A server that wants fewer of them than
// we are allowed gets fewer: while one stands, not getting another is no fault.
func (s *SMTP) take(ctx context.Context) (*connection, error) {
	for {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return nil, errClosed
		}
		if n := len(s.idle); n > 0 {
			c := s.idle[n-1]
			s.idle = s.idle[:n-1]
			s.mu.Unlock()
			return c, nil
		}
		freed, more := s.freed, s.open < s.ceiling
		if more {
			s.open++
		}
		s.mu.Unlock()
		if more {
			c, err := s.dial(ctx)
			if err == nil || !s.enough(ctx) {
				return c, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-freed:
		}
	}
}

// enough makes do with the connections that stand, if there are any, until they have ended. Those that
// are being made are waited for: a server that takes two may refuse the third before it greets them.
func (s *SMTP) enough(ctx context.Context) bool {
	for {
		s.mu.Lock()
		if s.standing > 0 {
			s.ceiling = s.standing
		}
		stand, making, freed := s.standing > 0, s.open-s.standing, s.freed
		s.mu.Unlock()
		if stand || making == 0 {
			return stand
		}
		select {
		case <-ctx.Done():
			return false
		case <-freed:
		}
	}
}

// dial makes a connection that was counted as open already.
func (s *SMTP) dial(ctx context.Context) (*connection, error) {
	bound, cancel := context.WithTimeout(ctx, s.Session)
	defer cancel()
	c, err := s.server.connect(bound)
	if err != nil {
		s.count(-1, 0)
		return nil, err
	}
	s.count(0, 1)
	return c, nil
}

// drop ends a connection that is of no use any more.
func (s *SMTP) drop(c *connection) {
	c.cut()
	s.count(-1, -1)
}

// count notes that connections were made or have ended, and lets whoever waits for one look again.
func (s *SMTP) count(open, standing int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(open, standing)
}

func (s *SMTP) add(open, standing int) {
	s.open += open
	if s.standing += standing; s.standing == 0 {
		s.ceiling = s.most
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

// give keeps a connection for the next letter.
func (s *SMTP) give(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.add(-1, -1)
		c.cut()
		return
	}
	c.used = true
	s.idle = append(s.idle, c)
	s.add(0, 0)
	if s.tidy != nil {
		s.tidy.Stop()
	}
	s.tidy = time.AfterFunc(keepIdle, s.rest)
}

// rest parts from all connections that nothing goes over.
func (s *SMTP) rest() {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.add(-len(idle), -len(idle))
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	var all sync.WaitGroup
	for _, c := range idle {
		all.Go(func() { c.part(ctx) })
	}
	all.Wait()
}

// Close ends the connections that nothing goes over; the others end with their letter.
func (s *SMTP) Close() error {
	s.mu.Lock()
	s.closed = true
	if s.tidy != nil {
		s.tidy.Stop()
	}
	s.mu.Unlock()
	s.rest()
	return nil
}
