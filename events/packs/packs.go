// Package packs reads long lines faster than the log does: in the log each event is a row, and each sealed part
// another, and finding a row costs more than reading it. A line that was read from its beginning twice is written as
// one file, its pack, after the reader has it.
//
// The log stays the truth. A pack may be deleted at any time, is not part of a backup, and is believed only after its
// chain was recomputed and ends in the log's own hash. A pack that is torn, stale, from another house or from another
// program is deleted and made again. Only this house can read a pack: secret parts lie open in it, and it is sealed as
// a whole. What must not live here: anything that checks the log or passes it on; such code
// reads the log itself.
package packs

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"posthorn/events"
	"posthorn/events/recent"
)

const (
	// DefaultRoom is how many bytes a house's packs take: ten thousand games of Carcassonne, or two thousand of the
	// Rivals.
	DefaultRoom = 256 << 20

	least    = 32   // events in the shortest line worth a pack
	maxReads = 4096 // lines remembered as having been read once
	maxWants = 64   // lines waiting to be packed; a line that finds no place asks again when it is next read
)

// Packs answers for a log from the packs it has. It is safe for concurrent use.
type Packs struct {
	log   events.Log
	seal  *seal
	least uint64
	alarm func(error)

	folder
	reads *recent.Store[events.Name, struct{}]
	wants chan events.Name

	life context.Context
	end  context.CancelFunc
	done sync.WaitGroup
}

// Open opens the packs in a folder, which is created when needed, for a log. Its keys open the secret parts and seal
// the packs. The packs take at most room bytes. alarm is called with what cannot be written; those lines are then read
// from the log.
func Open(dir string, keys *events.Keys, log events.Log, room int64, alarm func(error)) *Packs {
	p := newPacks(dir, keys, log, room, alarm)
	p.done.Go(p.run)
	return p
}

func newPacks(dir string, keys *events.Keys, log events.Log, room int64, alarm func(error)) *Packs {
	p := &Packs{log: log, seal: newSeal(keys), least: least, alarm: alarm, folder: folder{dir: dir, room: room},
		reads: recent.New[events.Name, struct{}](maxReads, nil), wants: make(chan events.Name, maxWants)}
	p.life, p.end = context.WithCancel(context.Background())
	return p
}

// Close waits for a pack that is being written. The log stays open.
func (p *Packs) Close() error {
	p.end()
	p.done.Wait()
	return nil
}

// Load is the log's [events.Log.Load], except that secret parts may have been opened ([events.Part.Opened]).
func (p *Packs) Load(ctx context.Context, line events.Name, after, upTo uint64) ([]events.Record, error) {
	recs, last, err := p.packed(ctx, line, after, upTo)
	if err != nil {
		return nil, err
	}
	if last > 0 { // of a whole pack; the line may have grown
		if upTo > 0 && upTo <= last {
			return recs, nil
		}
		head, err := p.log.Head(ctx, line)
		if err != nil {
			return nil, err
		}
		if head.Version <= last {
			return recs, nil
		}
		rest, err := p.log.Load(ctx, line, last, upTo)
		if err != nil {
			return nil, err
		}
		if p.outgrown(last, head.Version) {
			p.want(line)
		}
		return append(recs[:len(recs):len(recs)], rest...), nil
	}
	recs, err = p.log.Load(ctx, line, after, upTo)
	if err == nil && after == 0 && uint64(len(recs)) >= p.least && !p.has(line) {
		if _, again := p.reads.Get(line); again {
			p.want(line)
		}
		p.reads.Put(line, struct{}{})
	}
	return recs, err
}

// packed reads the requested records from a line's pack, and returns how far it goes; 0 if there is no pack to
// believe, or if reading rows is quicker than reading all of it.
func (p *Packs) packed(ctx context.Context, line events.Name, after, upTo uint64) (recs []events.Record, last uint64,
	err error) {
	f, ok := p.find(line)
	if !ok {
		return nil, 0, nil
	}
	last = f.last
	if upTo > 0 {
		last = min(last, upTo)
	}
	if last < after || last-after < f.last/4 {
		return nil, 0, nil
	}
	if _, err := p.log.Stream(ctx, line); err != nil {
		return nil, 0, err
	}
	b, err := p.read(line, f)
	is := proof(b)
	if err == nil {
		recs, err = p.seal.unpack(b, line)
	}
	if err == nil && uint64(len(recs)) != f.last {
		err = errTorn
	}
	if err == nil && f.proven != is {
		if err = p.prove(ctx, line, recs); err == nil {
			p.believe(line, f.last, is)
		}
	}
	if err != nil {
		if !errors.Is(err, errUnknown) {
			p.drop(line, f.last)
		}
		return nil, 0, nil
	}
	return recs[after:last], f.last, nil
}

// outgrown reports whether a line packed up to a version has grown enough to be worth another pack: each event of a
// growing line is packed only a few times.
func (p *Packs) outgrown(last, now uint64) bool { return now >= last+max(p.least, last/2) }

var (
	errStale   = errors.New("the log says something else than the pack")
	errUnknown = errors.New("the log could not be asked")
)

// prove checks the records of a pack against the log: they are one chain, which ends in the hash that the log has
// there, and are where the log has them. An open log only grows, so once is enough.
func (p *Packs) prove(ctx context.Context, line events.Name, recs []events.Record) error {
	if len(recs) == 0 {
		return errStale
	}
	end := &recs[len(recs)-1]
	has, err := events.LoadOne(ctx, p.log, line, end.Version)
	if errors.Is(err, events.ErrNoRecord) || err == nil &&
		(has.Hash != end.Hash || has.Pos != end.Pos || has.Stream != end.Stream) {
		return errStale
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	root, err := p.log.Stream(ctx, recs[0].Stream)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	prev, pos := root.Origin, uint64(0)
	for i := range recs {
		r := &recs[i]
		if prev = events.ChainHash(prev, r); prev != r.Hash || r.Pos <= pos {
			return errStale
		}
		pos = r.Pos
	}
	return nil
}
