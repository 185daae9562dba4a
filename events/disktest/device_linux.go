// Package disktest is a disk whose power can be cut: an ext4 on a device that this package is itself, so that it knows what was
// written when, and what was asked to be durable. Of one running program any number of cuts can be taken, each of which is mounted
// beside it as the machine would find the disk after a power cut. It needs Linux, root, FUSE and loop devices.
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

// block is never changed once it is in a device: who copies the list of them has a copy of the whole device.
type block [blockSize]byte

// device is a disk with a cache that forgets: what was written is there for whoever reads, and outlasts a power cut once a flush
// was asked for and answered.
type device struct {
	mu      sync.Mutex
	now     []*block // what is read; nil is all zeroes
	safe    []*block // what outlasts a power cut
	pending []write  // since the last flush
	trap    *trap
	dead    bool
	flushes int
}

// write is one block of what was written: the sectors of it that were given.
type write struct {
	at       int
	from, to int
	block    *block
}

// trap takes the power after some operations.
type trap struct {
	left   int
	die    bool
	before func()
	cut    chan *Cut
}

var errDead = errors.New("the device has no power")

// operation counts what the device is asked to do, and springs the trap. The device is locked.
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

// spring takes the device as it is between two operations: nothing can be written meanwhile, since whoever writes waits for the lock.
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
		d.pending = append(d.pending, write{at: at, from: in / sectorSize, to: (in + n + sectorSize - 1) / sectorSize, block: b})
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

// load makes a file the device's content, durably, and gives it power.
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

// cut takes the power after so many operations from now, or after a second in which there are no more of them.
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

// Kept is what a disk has kept of that which it was not asked to make durable when its power was cut.
type Kept int

// What a disk may have kept: everything; nothing; each block or not, in no order; each sector or not, so that pages are torn.
const (
	Everything Kept = iota
	Nothing
	Some
	Torn
)

func (k Kept) String() string { return [...]string{"everything", "nothing", "some", "torn"}[k] }

// Cut is a disk at the instant at which its power was cut.
type Cut struct {
	safe    []*block
	pending []write
}

// Pending is how many blocks were written that the disk was not yet asked to make durable.
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
