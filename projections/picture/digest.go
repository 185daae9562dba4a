package picture

import (
	"crypto/rand"
	"encoding/binary"
	"hash"
	"math"

	"github.com/minio/highwayhash"

	"posthorn/domain"
)

// digester writes drawings, unambiguously, into a hash.
type digester struct {
	h    hash.Hash
	buf  []byte
	uses []string // the symbols met on the way
}

// digestKey makes sums that nobody outside this process can foresee: they name what is kept and stand nowhere else.
var digestKey = func() (key [highwayhash.Size]byte) {
	_, _ = rand.Read(key[:]) // never fails
	return key
}()

func newDigester() *digester {
	h, err := highwayhash.New128(digestKey[:])
	if err != nil {
		panic(err) // the key has the one length there is
	}
	return &digester{h: h}
}

func (d *digester) sum() (out [16]byte) {
	_, _ = d.h.Write(d.buf)
	d.h.Sum(out[:0])
	return out
}

func (d *digester) num(xs ...float64) {
	for _, x := range xs {
		d.buf = binary.LittleEndian.AppendUint64(d.buf, math.Float64bits(x))
	}
	if len(d.buf) > 1<<13 {
		_, _ = d.h.Write(d.buf)
		d.buf = d.buf[:0]
	}
}

func (d *digester) text(s string) {
	d.num(float64(len(s)))
	d.buf = append(d.buf, s...)
}

func (d *digester) flags(bs ...bool) {
	n := byte(0)
	for i, b := range bs {
		if b {
			n |= 1 << i
		}
	}
	d.buf = append(d.buf, n)
}

func (d *digester) shapes(list []domain.Shape) {
	d.num(float64(len(list)))
	for i := range list {
		s := &list[i]
		d.num(float64(len(s.Path)))
		for _, g := range s.Path {
			d.num(float64(g.Op), g.A.X, g.A.Y, g.B.X, g.B.Y, g.To.X, g.To.Y)
		}
		d.text(s.Text)
		d.text(s.Use)
		if s.Use != "" {
			d.uses = append(d.uses, s.Use)
		}
		d.num(float64(s.Fill), float64(s.Stroke), s.Width, s.Dash, s.At.X, s.At.Y, s.Turn, s.Scale, s.Size)
		d.flags(s.Bold, s.Hidden)
		d.shapes(s.Group)
	}
}

// symbolsOf finds a scene's symbols, each with a sum that tells drawings apart whatever
// scene they are in: its own shapes and those of the symbols it uses.
func symbolsOf(scene *domain.Scene) map[string]*symbol {
	out := make(map[string]*symbol, len(scene.Symbols))
	uses := map[string][]string{}
	for i := range scene.Symbols {
		s := &scene.Symbols[i]
		d := newDigester()
		d.num(s.X, s.Y, s.W, s.H)
		d.shapes(s.Shapes)
		out[s.ID] = &symbol{Symbol: s, sum: d.sum()}
		if len(d.uses) > 0 {
			uses[s.ID] = d.uses
		}
	}
	for range min(len(uses), maxNesting) {
		for _, s := range scene.Symbols {
			if len(uses[s.ID]) == 0 {
				continue
			}
			d := newDigester()
			d.buf = append(d.buf, out[s.ID].sum[:]...)
			for _, id := range uses[s.ID] {
				if used, ok := out[id]; ok {
					d.buf = append(d.buf, used.sum[:]...)
				}
			}
			out[s.ID].sum = d.sum()
		}
	}
	return out
}
