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
	// ErrNobody is returned while no server takes requests. Nothing was begun.
	ErrNobody = errors.New("no server takes requests now")
	// ErrSilent is returned if a server took a request and then fell silent. It may have been done.
	ErrSilent = errors.New("the server that took a request does not answer")
)

// How long to wait, and for what. Taking a request needs only a moment: a server that is there but does not take it was
// paused, or is just being cut off. A successor needs seconds to take over, and a request that nobody has taken can
// wait that long.
const (
	takeTime   = 3 * time.Second
	silentTime = 4 * lifeTime
	nobodyTime = 4 * time.Second
	againTime  = 100 * time.Millisecond
	writeTime  = 30 * time.Second // for writing a piece of an answer to the client
)

// Limits on what is under way.
const (
	maxBody    = 1 << 20  // of a request
	maxWaiting = 32 << 20 // bytes of one answer that the client has not taken yet
	maxCarried = 4096     // requests under way
)

// Sender passes requests on. It is safe for concurrent use.
type Sender struct {
	// Patience is how long a request waits for a server to take it; some seconds if not set.
	Patience time.Duration

	nc     *nats.Conn
	root   []byte
	prefix string // of the subjects where answers arrive
	sub    *nats.Subscription

	mu    sync.Mutex
	under map[id]*answers
	sent  atomic.Uint64
}

// NewSender returns a sender that uses a connection. The caller keeps ownership of the connection.
func NewSender(nc *nats.Conn, keys *events.Keys) (*Sender, error) {
	s := &Sender{nc: nc, root: keys.For(purpose), prefix: nats.NewInbox() + ".", under: map[id]*answers{}}
	var err error
	if s.sub, err = nc.Subscribe(s.prefix+"*", s.receive); err == nil {
		err = s.sub.SetPendingLimits(-1, -1) // each answer has its own limit
	}
	if err != nil {
		return nil, fmt.Errorf("subscribe to answers: %w", err)
	}
	return s, nil
}

// Close ends the subscription.
func (s *Sender) Close() error { return s.sub.Unsubscribe() }

// Passed returns how many requests were passed on.
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

// Pass has the server that writes answer a request, on behalf of the client with the given address. It returns
// [ErrNobody] or [ErrSilent] only if nothing was answered; an answer that stops in the middle is aborted.
func (s *Sender) Pass(w nethttp.ResponseWriter, r *nethttp.Request, client string) error {
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	h := head{Method: r.Method, URI: r.URL.RequestURI(), Host: r.Host, Header: r.Header.Clone(), Client: client}
	for _, of := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "Connection", "Keep-Alive", "Upgrade",
		"Te", "Transfer-Encoding", "Content-Length"} {
		h.Header.Del(of) // they concern the connection that ends here
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

// once offers a request to whichever server takes it now.
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
	if err := s.nc.PublishRequest(Subject, s.prefix+request.String(),
		newBox(s.root, request, id{}).seal(request[:], text)); err != nil {
		return fmt.Errorf("%w: %w", ErrNobody, err)
	}
	taken, err := a.next(r.Context(), takeTime)
	if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
		s.stop(request) // a server that takes it late need not answer
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

// stop tells the answering server that nobody is listening any more.
func (s *Sender) stop(request id) {
	// if this fails, the server notices by itself that nobody listens
	_ = s.nc.Publish(Subject+".stop."+request.String(), nil)
}

// answers are the messages of one answer.
type answers struct {
	root    []byte
	request id
	server  id // the answering server: the first that says it is
	box     *box

	mu     sync.Mutex
	queue  [][]byte
	bytes  int
	failed error
	more   chan struct{}
}

// put takes a message without waiting.
func (a *answers) put(m *nats.Msg) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.failed != nil:
		return
	case len(m.Data) == 0 && m.Header.Get("Status") == "503":
		a.failed = ErrNobody
	case len(m.Data) <= len(a.server):
		return // nobody who has the key sends this
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

// next returns the next message from the server that took the request, opened.
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

// open opens a message; it returns nil if the message is not from an answering server.
func (a *answers) open(m []byte) ([]byte, error) {
	server, sealed := id(m[:len(a.server)]), m[len(a.server):]
	if a.box == nil {
		first := newBox(a.root, a.request, server)
		text, err := first.open(sealed)
		if err != nil || len(text) == 0 {
			return nil, nil // not sealed with our key
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

// pass writes the answer to the client. began reports whether any of it was written, whole whether all of it was.
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
			_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a connection without deadlines has no limit
			if _, err := w.Write(text); err != nil {
				return began, false, fmt.Errorf("pass an answer on: %w", err)
			}
			if a.idle() {
				_ = control.Flush() // the client may have gone; the next piece will show
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
