package picture

import (
	"crypto/rand"
	"encoding/binary"
	"hash"
	"math"
	"sync"

	"github.com/minio/highwayhash"

	"posthorn/domain"
)

// digester writes drawings into a hash, unambiguously.
type digester struct {
	h    hash.Hash
	buf  []byte
	uses []string // the symbols met along the way
}

// digestKey makes sums that nobody outside this process can predict: they are cache keys and appear nowhere else.
var digestKey = func() (key [highwayhash.Size]byte) {
	_, _ = rand.Read(key[:]) // never fails
	return key
}()

var digesters = sync.Pool{New: func() any {
	h, err := highwayhash.New128(digestKey[:])
	if err != nil {
		panic(err) // the key has the only valid length
	}
	return &digester{h: h}
}}

// sum returns the digest of what was written, and starts over.
func (d *digester) sum() (out [16]byte) {
	_, _ = d.h.Write(d.buf)
	d.h.Sum(out[:0])
	d.h.Reset()
	d.buf, d.uses = d.buf[:0], nil
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

// symbolsOf finds a scene's symbols, each with a sum of its own shapes and those of the symbols it uses. The sum
// identifies the drawing whatever scene it is in.
func (d *digester) symbolsOf(scene *domain.Scene) map[string]*symbol {
	out := make(map[string]*symbol, len(scene.Symbols))
	nested := false
	for i := range scene.Symbols {
		s := &scene.Symbols[i]
		out[s.ID] = &symbol{Symbol: s, drawn: drawnOf(s, d)}
		out[s.ID].sum = out[s.ID].drawn.sum
		nested = nested || len(out[s.ID].uses) > 0
	}
	for i := 0; nested && i < maxNesting; i++ {
		for _, s := range scene.Symbols {
			sym := out[s.ID]
			if len(sym.uses) == 0 {
				continue
			}
			d.buf = append(d.buf, sym.sum[:]...)
			for _, id := range sym.uses {
				if used, ok := out[id]; ok {
					d.buf = append(d.buf, used.sum[:]...)
				}
			}
			sym.sum = d.sum()
		}
	}
	return out
}

// digested returns a scene's symbols, and the sum that identifies its picture.
func digested(scene *domain.Scene, opt PNGOptions) (map[string]*symbol, [16]byte) {
	d := digesters.Get().(*digester)
	defer digesters.Put(d)
	symbols := d.symbolsOf(scene)
	d.num(scene.X, scene.Y, scene.W, scene.H, float64(scene.Ground), float64(opt.Width), float64(opt.Scale),
		float64(opt.Most))
	for _, s := range scene.Symbols {
		d.text(s.ID)
		d.buf = append(d.buf, symbols[s.ID].sum[:]...)
	}
	d.shapes(scene.Shapes)
	return symbols, d.sum()
}
