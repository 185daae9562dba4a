package secrets

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// drawn is what chance alone has decided in a house's log so far.
type drawn struct {
	upTo    uint64
	digests map[string]string // of parts, to a name of the same length that says where they are
	names   map[string]bool   // of streams and commands
}

// reads reads what is new in the log.
func (d *drawn) reads(h *twinHouse) {
	h.t.Helper()
	recs, err := h.log.Read(h.ctx, d.upTo, 1<<20)
	require.NoError(h.t, err)
	if d.digests == nil {
		d.digests, d.names = map[string]string{}, map[string]bool{}
	}
	for i := range recs {
		r := &recs[i]
		d.upTo = r.Pos
		d.names[r.Stream.String()], d.names[r.Command.String()] = true, true
		for n, p := range r.Parts {
			place := sha256.Sum256(fmt.Append(nil, r.Stream, r.Version, n))
			d.digests[p.Digest.String()] = strings.ToUpper(events.Hash(place).String())
		}
	}
}

// constant replaces, length for length, what chance alone decides: the digests of hidden parts by where they are, and
// names drawn for this answer, which no log and no person has, by a fixed name.
func (d *drawn) constant(text []byte, people map[string]bool) []byte {
	out := slices.Clone(text)
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && (out[j] >= '0' && out[j] <= '9' || out[j] >= 'a' && out[j] <= 'f') {
			j++
		}
		switch word := out[i:j]; {
		case j-i == 64 && d.digests[string(word)] != "":
			copy(word, d.digests[string(word)])
		case j-i == 64 && bytes.HasSuffix(out[:i], []byte(`{"sum":"`)): // of a record, over the digests too
			copy(word, strings.Repeat("~", 64))
		case j-i == 32 && !d.names[string(word)] && !people[string(word)]:
			copy(word, strings.Repeat("~", 32))
		}
		i = max(j, i+1)
	}
	return out
}

// same compares what the two houses said.
func (w *twins) same(what string, a, b []byte) {
	w.t.Helper()
	w.report.channels++
	if bytes.Equal(a, b) {
		return
	}
	for _, h := range w.both() {
		h.drawn.reads(h)
	}
	a, b = w.a.drawn.constant(a, w.cast.ids), w.b.drawn.constant(b, w.cast.ids)
	if !bytes.Equal(a, b) {
		w.fails(what, string(a), string(b))
	}
}

// fails reports something by which a viewer could tell the twins apart.
func (w *twins) fails(what, a, b string) {
	w.t.Helper()
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-200)
	text := fmt.Sprintf("%s, seen by %d: %s differs from byte %d:\n…%s\n…%s", w.where, w.viewer, what, i,
		a[from:min(len(a), i+200)], b[from:min(len(b), i+200)])
	if w.keep {
		w.alarms = append(w.alarms, text)
		return
	}
	require.Fail(w.t, "what somebody may not know shows", text)
}
