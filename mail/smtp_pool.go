package mail

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DefaultConnections is how many letters may be on their way at once.
const DefaultConnections = 8

// SMTP is a transport over several connections, which it keeps while they are useful.
type SMTP struct {
	server server
	// Session and Letter limit how long signing in, and handing over a letter, may take.
	Session, Letter time.Duration

	mu       sync.Mutex
	idle     []*connection
	open     int           // idle, busy, or being made
	standing int           // how many of these are ready
	ceiling  int           // how many may be open now
	most     int           // how many may ever be open
	freed    chan struct{} // closed, and replaced, when a connection is given back or has ended
	tidy     *time.Timer   // closes connections that stay idle
	closed   bool
}

// keepIdle is how long to keep an idle connection.
const keepIdle = 30 * time.Second

// farewell is how long saying goodbye to a server may take.
const farewell = 2 * time.Second

// NewSMTP reads a mail server address: smtp:// uses STARTTLS unless the address has ?tls=off or the host is loopback
// (?tls=on insists there too); smtps:// speaks TLS from the start. hello is the name we greet with; connections is how
// many there may be at once. It returns ErrSMTPAddress if it cannot read the address.
func NewSMTP(address, hello string, connections int) (*SMTP, error) {
	to, err := readServer(address, hello)
	if err != nil {
		return nil, err
	}
	most := max(connections, 1)
	return &SMTP{server: to, Session: sessionTime, Letter: letterTime, most: most, ceiling: most,
		freed: make(chan struct{})}, nil
}

var (
	errClosed = errors.New("the transport is closed")
	errSender = errors.New("sender") // the server does not take mails from this sender
)

// Send hands a message over. It replaces a connection that broke while idle. It returns a *Verdict if the server judged
// the letter, a *Lost if the connection broke during it, and any other error if there is no session to send it in.
func (s *SMTP) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	c, err := s.take(ctx)
	if err != nil {
		return "", err
	}
	bound, cancel := context.WithTimeout(ctx, s.Letter)
	defer cancel()
	if err = s.begin(bound, c, from); err != nil && c.used {
		// While it was idle, the server hung up or had enough of it.
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

// begin names the sender: a fault here is a fault of the session.
func (s *SMTP) begin(ctx context.Context, c *connection, from string) error {
	defer c.boundBy(ctx)()
	if err := c.client.Mail(from, nil); err != nil {
		return fmt.Errorf("%w: %w", errSender, because(ctx, err))
	}
	return nil
}

// Try greets, signs in and says goodbye: what "doctor" does without a letter.
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

// take finds an idle connection, or makes one. A server may accept fewer than we are allowed: as long as one is open,
// failing to get another is no fault.
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

// enough settles for the connections that are ready, if there are any, until they end. It waits for those that are
// being made: a server that takes two may refuse the third before it greets them.
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

// dial makes a connection that is already counted as open.
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

// drop ends a connection that is no longer usable.
func (s *SMTP) drop(c *connection) {
	c.cut()
	s.count(-1, -1)
}

// count notes that connections were made or have ended, and lets those waiting for one look again.
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

// rest closes all idle connections.
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

// Close ends the idle connections; the others end after their letter.
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
