package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"os"
	"slices"
	"strconv"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/record"
)

// remote is a running house, asked as anybody may ask it.
type remote struct {
	base   *url.URL
	client *nethttp.Client
}

// errServer is returned if a server does not answer as its checkpoints promise.
var errServer = errors.New("the server's log is not what it signed")

// errOtherEvent is returned for a record whose events are not those that the server has proved to be in its log.
var errOtherEvent = errors.New(
	"the record is not as it should be: the server's log, as it signed it, has another event there")

// answered is the most bytes in an answer.
const answered = 1 << 20

// get requests a path and decodes the answer.
func (s remote) get(ctx context.Context, path string, query url.Values, into any) error {
	at := s.base.JoinPath("api/v1", path)
	at.RawQuery = query.Encode()
	req, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, at.String(), nil)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // only read
	switch {
	case res.StatusCode == nethttp.StatusNotFound:
		return fmt.Errorf("%s: %w", at, errMissing)
	case res.StatusCode != nethttp.StatusOK:
		return fmt.Errorf("%s: the server answers %s", at, res.Status)
	}
	if whole, ok := into.(*[]byte); ok {
		*whole, err = io.ReadAll(io.LimitReader(res.Body, record.Longest))
	} else {
		err = json.NewDecoder(io.LimitReader(res.Body, answered)).Decode(into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}

// errMissing is returned for what a server does not have, or does not show to everybody.
var errMissing = errors.New("the server has no such thing, or does not show it to everybody")

// latest returns the server's latest checkpoint, and the key that signed it.
func (s remote) latest(ctx context.Context) (c checkpoint.Checkpoint, key ed25519.PublicKey, note string, err error) {
	var said struct {
		PublicKey string `json:"public_key"`
		Note      string `json:"note"`
	}
	if err = s.get(ctx, "checkpoint", nil, &said); err != nil {
		return c, nil, "", err
	}
	if key, err = hex.DecodeString(said.PublicKey); err != nil || len(key) != ed25519.PublicKeySize {
		return c, nil, "", fmt.Errorf("%w: it names no key", errServer)
	}
	c, err = checkpoint.Read(key, said.Note)
	return c, key, said.Note, err
}

// goesOn requests a proof that the newer checkpoint's log continues the older one's.
func (s remote) goesOn(ctx context.Context, old, now checkpoint.Checkpoint) (g checkpoint.Growth, err error) {
	if old.Size > now.Size {
		return g, fmt.Errorf("%w: it had %d events and has %d", errServer, old.Size, now.Size)
	}
	if old.Size == now.Size || old.Size == 0 {
		return checkpoint.Growth{From: old.Size, To: now.Size}, nil // the roots are compared
	}
	err = s.get(ctx, "checkpoint/proof", url.Values{"from": {number(old.Size)}, "to": {number(now.Size)}}, &g)
	if err == nil && (g.From != old.Size || g.To != now.Size) {
		err = fmt.Errorf("%w: it answers for other sizes", errServer)
	}
	return g, err
}

// errUnsigned is returned for an event that the server does not claim to be in its signed log.
var errUnsigned = errors.New("not in the log that was signed")

// holds requests a proof that a checkpoint's log contains an event of a table. It returns errUnsigned if the event is
// newer.
func (s remote) holds(ctx context.Context, now checkpoint.Checkpoint, table events.Name,
	e record.Event) (h checkpoint.Held, err error) {
	err = s.get(ctx, "tables/"+table.String()+"/inclusion",
		url.Values{"stream": {e.Stream.String()}, "version": {strconv.FormatUint(e.Version, 10)},
			"size": {number(now.Size)}}, &h)
	switch {
	case errors.Is(err, errMissing):
		return h, errUnsigned
	case err != nil:
		return h, err
	case h.Stream != e.Stream || h.Version != e.Version || h.Size != now.Size:
		return h, fmt.Errorf("%w: it answers for another event than version %d of stream %s", errServer, e.Version,
			e.Stream)
	}
	return h, nil
}

// lastHeld returns the last event of a stream that a checkpoint's log contains; all is in order. It returns errUnsigned
// if the log has none of them.
func (s remote) lastHeld(ctx context.Context, now checkpoint.Checkpoint, table events.Name,
	all []record.Event) (best checkpoint.Held, err error) {
	found := false
	for low, high := 0, len(all); low < high; {
		try := (low + high) / 2
		if !found && high == len(all) && low == 0 {
			try = len(all) - 1 // mostly that one
		}
		switch h, err := s.holds(ctx, now, table, all[try]); {
		case err == nil:
			best, found, low = h, true, try+1
		case errors.Is(err, errUnsigned):
			high = try
		default:
			return best, err
		}
	}
	if !found {
		return best, errUnsigned
	}
	return best, nil
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// online compares kept checkpoints and a record with a running server.
func (c *verifyCmd) online(ctx context.Context, con console.Console, s remote) error {
	now, key, note, err := s.latest(ctx)
	if err != nil {
		return console.Fails(1, "%w", err)
	}
	if err := c.knowsServer(con, s.base, key); err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "%s: a log of %d events, signed.\n", s.base.Host, now.Size)
	p := checkpoint.Proof{Key: key, Checkpoints: []string{note}}
	if err := c.grown(ctx, con, s, &p, now); err != nil {
		return err
	}
	var unchecked error
	if c.File != "" {
		if unchecked, err = c.heldBy(ctx, con, s, &p, now); err != nil {
			return err
		}
	}
	if c.WriteProof != "" {
		if err := writeTo(c.WriteProof, con.Raw, p.Write); err != nil {
			return console.Fails(2, "%w", err)
		}
	}
	fmt.Fprintf(con.Out, "Keep this: with it the server can never deny what it has shown today.\n\n%s", note)
	return unchecked
}

// keptIn returns the checkpoints in a file, among whatever else is there.
func keptIn(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, console.Fails(2, "read the checkpoints: %w", err)
	}
	notes := checkpoint.Found(string(text))
	if len(notes) == 0 {
		return nil, console.Fails(2, "%s: there is no checkpoint in it", name)
	}
	return notes, nil
}

// grown requests proofs that the log continues all kept checkpoints.
func (c *verifyCmd) grown(ctx context.Context, con console.Console, s remote, p *checkpoint.Proof,
	now checkpoint.Checkpoint) error {
	for _, name := range c.Checkpoint {
		notes, err := keptIn(name)
		if err != nil {
			return err
		}
		for _, kept := range notes {
			old, err := checkpoint.Read(p.Key, kept)
			var g checkpoint.Growth
			if err == nil {
				g, err = s.goesOn(ctx, old, now)
			}
			if err == nil {
				p.Checkpoints, p.Consistency = append(p.Checkpoints, kept), append(p.Consistency, g)
				_, err = p.Check()
			}
			if err != nil {
				return console.Fails(1, "%s: %w", name, err)
			}
			fmt.Fprintf(con.Out, "  It goes on from the one of %d events in %s.\n", old.Size, name)
		}
	}
	return nil
}

// heldBy compares a record's own streams with the server's log. It reports what is not signed yet as unchecked.
func (c *verifyCmd) heldBy(ctx context.Context, con console.Console, s remote, p *checkpoint.Proof,
	now checkpoint.Checkpoint) (unchecked, err error) {
	f, err := c.record(con)
	if err != nil {
		return nil, err
	}
	if !p.SameKey(f.Header.Key) {
		return nil, console.Fails(1, "%w: the record is of another server", events.ErrReceipt)
	}
	streams, late := 0, 0
	for _, st := range f.Header.Streams {
		if st.Table != f.Header.Table {
			continue
		}
		var all []record.Event
		for _, e := range f.Events {
			if e.Stream == st.Name {
				all = append(all, e)
			}
		}
		streams++
		h, err := s.lastHeld(ctx, now, f.Header.Table, all)
		if err == nil {
			p.Inclusion = append(p.Inclusion, h)
			_, err = p.Check()
		}
		if err != nil && !errors.Is(err, errUnsigned) {
			return nil, console.Fails(1, "%w: %w", errServer, err)
		}
		its := slices.IndexFunc(all, func(e record.Event) bool { return e.Version == h.Version })
		if err == nil && h.Hash != all[its].Hash { // what the server proved is in its log: the record is not
			return nil, console.Fails(1, "%w: version %d of stream %s", errOtherEvent, h.Version, h.Stream)
		}
		if len(all) == 0 {
			continue // which is a fault of the record
		}
		if last := all[len(all)-1].Version; h.Version < last {
			late++
			fmt.Fprintf(con.Out, "  not checked: versions %d to %d of stream %s: the server has not signed them "+
				"yet; it does every hour\n", max(h.Version, st.Fork)+1, last, st.Name)
		}
	}
	if late > 0 {
		tellOpen(con.Out, "  ", record.OpenReceipts)
		return console.Fails(3, "not everything could be checked"), nil
	}
	fmt.Fprintf(con.Out, "  The record's %d streams are in it, to their ends.\n", streams)
	return nil, nil
}
