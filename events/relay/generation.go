package relay

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

// A position is a sequence, so a message that does not belong there would stop a stream for good. Then the elected
// writer opens the next generation: a stream of the same subjects, named after its number, which begins with all that
// counts in the one before. Nothing is deleted.

// generation is one of the streams that held or hold the log.
type generation struct {
	jetstream.Stream
	name   string
	n      int    // from 1
	hooked bool   // it takes what is published
	last   uint64 // how far it goes
	before string // the generation before it; empty for the first
	// how far the one before counts: until this one is filled, positions up to there are read from that one
	upTo uint64
}

// end returns the position up to which the generation and the one before it hold the log.
func (g *generation) end() uint64 { return max(g.last, g.upTo) }

// What a generation's metadata says. The MAC keeps anybody without the key from opening one.
const (
	metaBefore = "posthorn-before"
	metaUpTo   = "posthorn-up-to"
	metaMAC    = "posthorn-mac"
)

func generationMAC(keys *events.Keys, name, before string, upTo uint64) string {
	return hex.EncodeToString(prover{keys.For("generations"), name}.mac(upTo, before, nil, nil))
}

// streamConfig is the configuration of a stream for the log.
func streamConfig(name string, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Description: "Posthorn's log: sequence is position",
		Subjects: []string{Subjects}, Storage: jetstream.FileStorage, Replicas: replicas,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, AllowDirect: true,
		DenyDelete: true, DenyPurge: true, Duplicates: time.Second,
	}
}

// nameOf returns the name of a generation.
func nameOf(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "_" + strconv.Itoa(n)
}

// read takes a stream for a generation, if it is one of this house.
func (o Options) read(s jetstream.Stream) (*generation, bool) {
	info := s.CachedInfo()
	g := &generation{Stream: s, name: info.Config.Name, n: 1, last: info.State.LastSeq,
		hooked: slices.Equal(info.Config.Subjects, []string{Subjects})}
	if g.name == named(o.Stream) {
		return g, true
	}
	number, ok := strings.CutPrefix(g.name, named(o.Stream)+"_")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 2 || nameOf(named(o.Stream), n) != g.name {
		return nil, false
	}
	said := info.Config.Metadata
	upTo, err := strconv.ParseUint(said[metaUpTo], 10, 64)
	if err != nil || !hmac.Equal([]byte(said[metaMAC]), []byte(generationMAC(o.Keys, g.name, said[metaBefore], upTo))) {
		return nil, false
	}
	g.n, g.before, g.upTo = n, said[metaBefore], upTo
	return g, true
}

// newest finds the newest generation, or returns [ErrNoStream]. likely is the name that it had last.
func (o Options) newest(ctx context.Context, js jetstream.JetStream, known string) (*generation, error) {
	s, err := js.Stream(ctx, named(known))
	if err == nil {
		if g, ok := o.read(s); ok && g.hooked {
			return g, nil
		}
	} else if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, fmt.Errorf("look at the stream %s: %w", named(known), err)
	}
	var found *generation
	names := js.StreamNames(ctx)
	for name := range names.Name() {
		if name != named(o.Stream) && !strings.HasPrefix(name, named(o.Stream)+"_") {
			continue
		}
		s, err := js.Stream(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("look at the stream %s: %w", name, err)
		}
		if g, ok := o.read(s); ok && (found == nil || g.n > found.n) {
			found = g
		}
	}
	if err := names.Err(); err != nil {
		return nil, fmt.Errorf("look at the streams: %w", err)
	}
	if found == nil {
		return nil, ErrNoStream
	}
	return found, nil
}

// End returns how far the stream goes now, or [ErrNoStream].
func (o Options) End(ctx context.Context, js jetstream.JetStream) (uint64, error) {
	g, err := o.newest(ctx, js, o.Stream)
	if err != nil {
		return 0, err
	}
	return g.end(), nil
}

// open makes the generation after g, which goes on after a position.
func (o Options) open(ctx context.Context, js jetstream.JetStream, g *generation, upTo uint64) error {
	config := streamConfig(nameOf(named(o.Stream), g.n+1), g.CachedInfo().Config.Replicas)
	config.Metadata = map[string]string{metaBefore: g.name, metaUpTo: strconv.FormatUint(upTo, 10),
		metaMAC: generationMAC(o.Keys, config.Name, g.name, upTo)}
	_, err := js.CreateStream(ctx, config)
	if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another server was as far
		return fmt.Errorf("make the stream %s: %w", config.Name, err)
	}
	return nil
}

// unhook keeps a generation from taking anything more.
func (g *generation) unhook(ctx context.Context, js jetstream.JetStream) error {
	config := g.CachedInfo().Config
	config.Subjects = []string{"posthorn.over." + g.name}
	if _, err := js.UpdateStream(ctx, config); err != nil {
		return fmt.Errorf("close the stream %s: %w", g.name, err)
	}
	return nil
}
