package courier

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"posthorn/events"
)

var (
	// ErrNobody is returned while no server takes requests: nothing was begun.
	ErrNobody = errors.New("no server takes requests now")
	// ErrSilent is returned where a server took a request and has said nothing since: it may have been done.
	ErrSilent = errors.New("the server that took a request does not answer")
)

// How long is waited, and for what. Taking a request takes a moment: a server that is there and does not was paused, or
// is just being cut off. Whoever takes over needs seconds, and a request that nobody has can wait for that.
const (
	takeTime   = 3 * time.Second
	silentTime = 4 * lifeTime
	nobodyTime = 4 * time.Second
	againTime  = 100 * time.Millisecond
	writeTime  = 30 * time.Second // for a piece of an answer to go to whoever asked
)

// Bounds of what is under way.
const (
	maxBody    = 1 << 20  // of a request
	maxWaiting = 32 << 20 // bytes of one answer that whoever asked has not taken yet
	maxCarried = 4096     // requests under way
)

// Sender passes requests on. It is safe for concurrent use.
type Sender struct {
	// Patience is how long a request that nobody takes waits for somebody who does; some seconds if it is not set.
	Patience time.Duration

	nc     *nats.Conn
	root   []byte
	prefix string // of the subjects that answers come to
	sub    *nats.Subscription

	mu    sync.Mutex
	under map[id]*answers
	sent  atomic.Uint64
}

// NewSender passes requests on through a connection, which stays the caller's.
func NewSender(nc *nats.Conn, keys *events.Keys) (*Sender, error) {
	s := &Sender{nc: nc, root: keys.For(purpose), prefix: nats.NewInbox() + ".", under: map[id]*answers{}}
	var err error
	if s.sub, err = nc.Subscribe(s.prefix+"*", s.receive); err == nil {
		err = s.sub.SetPendingLimits(-1, -1) // each answer has a limit of its own
	}
	if err != nil {
		return nil, fmt.Errorf("subscribe to answers: %w", err)
	}
	return s, nil
}

// Close ends the subscription.
func (s *Sender) Close() error { return s.sub.Unsubscribe() }

// Passed counts the requests that were passed on.
func (s *Sender) Passed() uint64 { return s.sent.Load() }

func (s *Sender) receive(m *nats.Msg) {
	name, err := events.ParseName(strings.TrimPrefix(m.Subject, s.prefix))
	if err != nil {
		return
	}
	s.mu.Lock()
	a := s.under[id(name)]
	s.mu.Unlock()
	if a != nil {
		a.put(m)
	}
}

// Pass has a request answered by the server that writes, as what the client of an address asked. The error is [ErrNobody] or
// [ErrSilent] as long as nothing was answered; an answer that ends in its middle is broken off.
func (s *Sender) Pass(w nethttp.ResponseWriter, r *nethttp.Request, client string) error {
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	h := head{Method: r.Method, URI: r.URL.RequestURI(), Host: r.Host, Header: r.Header.Clone(), Client: client}
	for _, of := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "Connection", "Keep-Alive", "Upgrade", "Te", "Transfer-Encoding", "Content-Length"} {
		h.Header.Del(of) // they are about the connection that ends here
	}
	for late := time.Now().Add(cmp.Or(s.Patience, nobodyTime)); ; {
		err := s.once(w, r, h, body)
		if !errors.Is(err, ErrNobody) || time.Now().After(late) {
			return err
		}
		select {
		case <-r.Context().Done():
			return r.Context().Err()
		case <-time.After(againTime):
		}
	}
}

func bodyOf(r *nethttp.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("body of a request: %w", err)
	}
	return body, nil
}

// once offers a request to whoever takes it now.
func (s *Sender) once(w nethttp.ResponseWriter, r *nethttp.Request, h head, body []byte) error {
	request := newID()
	h.At = time.Now()
	text, err := packed(h, body)
	if err != nil {
		return err
	}
	a := &answers{root: s.root, request: request, more: make(chan struct{}, 1)}
	if err := s.begin(a); err != nil {
		return err
	}
	defer s.end(a)
	s.sent.Add(1)
	if err := s.nc.PublishRequest(Subject, s.prefix+request.String(), newBox(s.root, request, id{}).seal(request[:], text)); err != nil {
		return fmt.Errorf("%w: %w", ErrNobody, err)
	}
	taken, err := a.next(r.Context(), takeTime)
	if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
		s.stop(request) // whoever takes it late need not
		return ErrSilent
	}
	if err != nil {
		return err
	}
	if taken[0] != kindTaken {
		return fmt.Errorf("%w: it begins with %q", ErrSilent, taken[0])
	}
	began, whole, err := a.pass(w, r)
	if !whole {
		s.stop(request)
	}
	if began && !whole {
		panic(nethttp.ErrAbortHandler)
	}
	return err
}

func (s *Sender) begin(a *answers) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.under) >= maxCarried || !s.nc.IsConnected() {
		return ErrNobody
	}
	s.under[a.request] = a
	return nil
}

func (s *Sender) end(a *answers) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.under, a.request)
}

// stop tells whoever answers that nobody listens any more.
func (s *Sender) stop(request id) {
	_ = s.nc.Publish(Subject+".stop."+request.String(), nil) // or it finds nobody and ends by itself
}

// answers are the messages of one answer.
type answers struct {
	root    []byte
	request id
	server  id // that answers; the first that says so
	box     *box

	mu     sync.Mutex
	queue  [][]byte
	bytes  int
	failed error
	more   chan struct{}
}

// put takes a message, and waits for nobody.
func (a *answers) put(m *nats.Msg) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.failed != nil:
		return
	case len(m.Data) == 0 && m.Header.Get("Status") == "503":
		a.failed = ErrNobody
	case len(m.Data) <= len(a.server):
		return // nobody that has the key sends this
	case a.bytes+len(m.Data) > maxWaiting:
		a.failed = fmt.Errorf("%w: whoever asked does not read", ErrSilent)
	default:
		a.bytes += len(m.Data)
		a.queue = append(a.queue, m.Data)
	}
	select {
	case a.more <- struct{}{}:
	default:
	}
}

func (a *answers) take() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return nil, a.failed
	}
	m := a.queue[0]
	a.queue = a.queue[1:]
	a.bytes -= len(m)
	return m, nil
}

// next is the next message of the server that took the request, opened.
func (a *answers) next(ctx context.Context, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		m, err := a.take()
		if err != nil {
			return nil, err
		}
		if m != nil {
			text, err := a.open(m)
			if err != nil || text != nil {
				return text, err
			}
			continue
		}
		select {
		case <-a.more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// open opens a message; nil if it is nobody's who answers.
func (a *answers) open(m []byte) ([]byte, error) {
	server, sealed := id(m[:len(a.server)]), m[len(a.server):]
	if a.box == nil {
		first := newBox(a.root, a.request, server)
		text, err := first.open(sealed)
		if err != nil || len(text) == 0 {
			return nil, nil // it was not sealed with our key
		}
		a.server, a.box = server, first
		return text, nil
	}
	if server != a.server {
		return nil, nil
	}
	text, err := a.box.open(sealed)
	if err == nil && len(text) == 0 {
		err = errOpen
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return text, nil
}

// pass writes the answer to whoever asked; began reports whether any of it was, whole whether that was all.
func (a *answers) pass(w nethttp.ResponseWriter, r *nethttp.Request) (began, whole bool, err error) {
	control := nethttp.NewResponseController(w)
	for {
		m, err := a.next(r.Context(), silentTime)
		if err != nil {
			if r.Context().Err() == nil && !errors.Is(err, ErrSilent) {
				err = fmt.Errorf("%w: %w", ErrSilent, err)
			}
			return began, false, err
		}
		switch kind, text := m[0], m[1:]; kind {
		case kindLiving:
		case kindHead:
			var h answerHead
			if err := json.Unmarshal(text, &h); err != nil || began {
				return began, false, fmt.Errorf("%w: its head cannot be read", ErrSilent)
			}
			began = true
			clear(w.Header())
			for name, values := range h.Header {
				w.Header()[name] = values
			}
			w.WriteHeader(h.Status)
		case kindBody:
			_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // what cannot be bounded is not
			if _, err := w.Write(text); err != nil {
				return began, false, fmt.Errorf("pass an answer on: %w", err)
			}
			if a.idle() {
				_ = control.Flush() // whoever asked may have gone; the next piece says so
			}
		case kindEnd:
			_ = control.SetWriteDeadline(time.Time{})
			return began, began, nil
		default:
			return began, false, fmt.Errorf("%w: it broke off", ErrSilent)
		}
	}
}

// idle reports whether nothing more has come yet.
func (a *answers) idle() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queue) == 0
}
