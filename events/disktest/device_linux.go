// Package disktest is a disk whose power can be cut: an ext4 on a device that this package itself provides, so that
// it knows what was written when, and what was asked to be durable. A running program can be cut any number of times;
// each cut is mounted beside it as the machine would find the disk after a power cut. It needs Linux, root, FUSE and
// loop devices.
package disktest

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	blockSize  = 4096
	sectorSize = 512 // a disk writes one as a whole or not at all
)

// block never changes once it is in a device: copying the list of blocks copies the whole device.
type block [blockSize]byte

// device is a disk with a volatile cache: readers see every write, but a write survives a power cut only after a
// flush was requested and answered.
type device struct {
	mu      sync.Mutex
	now     []*block // what readers see; nil is all zeroes
	safe    []*block // what survives a power cut
	pending []write  // since the last flush
	trap    *trap
	dead    bool
	flushes int
}

// write is one written block, or those of its sectors that were given.
type write struct {
	at       int
	from, to int
	block    *block
}

// trap cuts the power after some operations.
type trap struct {
	left   int
	die    bool
	before func()
	cut    chan *Cut
}

var errDead = errors.New("the device has no power")

// operation counts the requests to the device, and springs the trap. The caller holds the device's lock.
func (d *device) operation() error {
	if d.trap != nil {
		if d.trap.left--; d.trap.left < 0 {
			d.spring()
		}
	}
	if d.dead {
		return errDead
	}
	return nil
}

// spring copies the device as it is between two operations: nothing can be written meanwhile, because writers wait
// for the lock.
func (d *device) spring() {
	t := d.trap
	d.trap = nil
	if t.before != nil {
		t.before()
	}
	d.dead = d.dead || t.die
	t.cut <- &Cut{safe: append([]*block(nil), d.safe...), pending: append([]write(nil), d.pending...)}
}

func (d *device) read(off int64, to []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return errDead
	}
	for len(to) > 0 {
		at, in := int(off/blockSize), int(off%blockSize)
		n := min(len(to), blockSize-in)
		if at < len(d.now) && d.now[at] != nil {
			copy(to[:n], d.now[at][in:])
		} else {
			clear(to[:n])
		}
		to, off = to[n:], off+int64(n)
	}
	return nil
}

func (d *device) write(off int64, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.operation(); err != nil {
		return err
	}
	for len(data) > 0 {
		at, in := int(off/blockSize), int(off%blockSize)
		n := min(len(data), blockSize-in)
		if at >= len(d.now) {
			return errors.New("beyond the end of the device")
		}
		b := new(block)
		if d.now[at] != nil {
			*b = *d.now[at]
		}
		copy(b[in:], data[:n])
		d.now[at] = b
		d.pending = append(d.pending, write{at: at, from: in / sectorSize, to: (in + n + sectorSize - 1) / sectorSize,
			block: b})
		data, off = data[n:], off+int64(n)
	}
	return nil
}

func (d *device) flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.operation(); err != nil {
		return err
	}
	for _, w := range d.pending {
		d.safe[w.at] = d.now[w.at]
	}
	d.pending = nil
	d.flushes++
	return nil
}

// load makes a file the device's content, durably, and turns its power on.
func (d *device) load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	blocks := make([]*block, info.Size()/blockSize)
	for at := range blocks {
		b := new(block)
		if _, err := f.ReadAt(b[:], int64(at)*blockSize); err != nil {
			return err
		}
		if *b != (block{}) {
			blocks[at] = b
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now, d.safe, d.pending, d.dead = blocks, append([]*block(nil), blocks...), nil, false
	return nil
}

// cut cuts the power after that many more operations, or after a second without any.
func (d *device) cut(after int, die bool, before func()) *Cut {
	t := &trap{left: after, die: die, before: before, cut: make(chan *Cut, 1)}
	d.mu.Lock()
	d.trap = t
	d.mu.Unlock()
	select {
	case c := <-t.cut:
		return c
	case <-time.After(time.Second):
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.trap == t {
			d.spring()
		}
		return <-t.cut
	}
}

// Kept says what a disk has kept, at a power cut, of the writes it was not asked to make durable.
type Kept int

// What a disk may have kept: everything; nothing; each block or not, in no order; each sector or not, so that pages
// are torn.
const (
	Everything Kept = iota
	Nothing
	Some
	Torn
)

func (k Kept) String() string { return [...]string{"everything", "nothing", "some", "torn"}[k] }

// Cut is a disk at the instant its power was cut.
type Cut struct {
	safe    []*block
	pending []write
}

// Pending returns how many blocks were written that the disk had not been asked to make durable.
func (c *Cut) Pending() int { return len(c.pending) }

// Keep writes what the disk holds after the cut to a file.
func (c *Cut) Keep(path string, kept Kept, dice *rand.Rand) (err error) {
	blocks := append([]*block(nil), c.safe...)
	for _, w := range c.pending {
		if kept == Nothing || kept == Some && dice.IntN(2) == 0 {
			continue
		}
		b := new(block)
		if blocks[w.at] != nil {
			*b = *blocks[w.at]
		}
		for s := w.from; s < w.to; s++ {
			if kept != Torn || dice.IntN(2) == 0 {
				copy(b[s*sectorSize:(s+1)*sectorSize], w.block[s*sectorSize:])
			}
		}
		blocks[w.at] = b
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for at, b := range blocks {
		if b == nil {
			continue
		}
		if _, err := f.WriteAt(b[:], int64(at)*blockSize); err != nil {
			return err
		}
	}
	return f.Truncate(int64(len(blocks)) * blockSize)
}

// order is how the kernel writes numbers to its file systems.
var order = binary.NativeEndian
