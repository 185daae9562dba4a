package packs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// Headless returns packs that make one only when told to, for lines of any length.
func Headless(t testing.TB, dir string, whose events.Hash, log events.Log, room int64) *Packs {
	t.Helper()
	p := newPacks(dir, whose, log, room, func(err error) { t.Error(err) })
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
var (
	Pack   = pack
	Unpack = unpack
)

// Sum corrects the checksum of a changed pack.
func Sum(b []byte) { le.PutUint32(b[len(magic):], sum(b)) }

// Least is the length of the shortest line that is packed.
const Least = least
