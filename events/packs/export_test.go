package packs

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// Headless returns packs that make one only when told to, for lines of any length.
func Headless(t testing.TB, dir string, keys *events.Keys, log events.Log, room int64) *Packs {
	t.Helper()
	p := newPacks(dir, keys, log, room, func(err error) { t.Error(err) })
	p.least = 1
	require.NoError(t, p.index())
	return p
}

// Make packs a line now.
func (p *Packs) Make(line events.Name) error { return p.make(line) }

// Answers reports whether a whole line is read from its pack.
func (p *Packs) Answers(line events.Name) bool {
	_, last, err := p.packed(context.Background(), line, 0, 0)
	return err == nil && last > 0
}

// Pack and Unpack expose the format.
func Pack(keys *events.Keys, line events.Name, records []events.Record) []byte {
	return newSeal(keys).pack(line, records)
}

// Unpack leaves b as it is.
func Unpack(b []byte, keys *events.Keys, line events.Name) ([]events.Record, error) {
	return newSeal(keys).unpack(slices.Clone(b), line)
}

// Plain is what a pack has under its seal, and Parsed reads that.
func Plain(keys *events.Keys, records []events.Record) []byte { return newSeal(keys).plain(records) }

// Parsed reads what is under a seal.
var Parsed = parsed

// Least is the length of the shortest line that is packed.
const Least = least
