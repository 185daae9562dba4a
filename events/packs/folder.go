package packs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"posthorn/events"
)

// folder holds the packs, each in a file named by its line and its last version.
type folder struct {
	dir  string
	room int64

	mu    sync.Mutex
	files map[events.Name]file // nil until the folder was read
	size  int64
	tick  uint64
}

// file is a pack in the folder.
type file struct {
	last   uint64
	size   int64
	proven [16]byte // proof of the pack that was checked against the log
	used   uint64   // when it was last asked for, in the folder's own count
}

func (f *folder) path(line events.Name, last uint64) string {
	return filepath.Join(f.dir, line.String()+"-"+strconv.FormatUint(last, 10))
}

// named parses a file's name.
func named(name string) (line events.Name, last uint64, ok bool) {
	text, number, _ := strings.Cut(name, "-")
	line, err := events.ParseName(text)
	if err == nil {
		last, err = strconv.ParseUint(number, 10, 64)
	}
	return line, last, err == nil && last > 0 && name == line.String()+"-"+strconv.FormatUint(last, 10)
}

// index reads what is in the folder, oldest first. It removes packs that a crash left unfinished.
func (f *folder) index() error {
	list, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("packs: %w", err)
	}
	type found struct {
		line events.Name
		last uint64
		info fs.FileInfo
	}
	var all []found
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		if line, last, ok := named(e.Name()); ok && info.Mode().IsRegular() {
			all = append(all, found{line, last, info})
		} else if strings.HasPrefix(e.Name(), unfinished) {
			_ = os.Remove(filepath.Join(f.dir, e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), cmp.Compare(a.last, b.last))
	})
	f.mu.Lock()
	f.files = map[events.Name]file{}
	f.mu.Unlock()
	for _, a := range all {
		f.add(a.line, file{last: a.last, size: a.info.Size()})
	}
	return nil
}

// find returns a line's pack, which then becomes the last in line for deletion.
func (f *folder) find(line events.Name) (file, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	is, ok := f.files[line]
	if ok {
		f.tick++
		is.used = f.tick
		f.files[line] = is
	}
	return is, ok
}

func (f *folder) has(line events.Name) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.files[line]
	return ok
}

// believe notes that a pack with these bytes was checked against the log.
func (f *folder) believe(line events.Name, last uint64, proof [16]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if is, ok := f.files[line]; ok && is.last == last {
		is.proven = proof
		f.files[line] = is
	}
}

// drop deletes a pack.
func (f *folder) drop(line events.Name, last uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if is, ok := f.files[line]; ok && is.last == last {
		delete(f.files, line)
		f.size -= is.size
		_ = os.Remove(f.path(line, last)) // nobody asks for it any more
	}
}

// add takes a written pack into the index, in place of the line's earlier one, and deletes the least recently used
// packs if there is no room for all.
func (f *folder) add(line events.Name, is file) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.files[line]; ok {
		f.size -= old.size
		if old.last != is.last {
			_ = os.Remove(f.path(line, old.last))
		}
	}
	f.tick++
	is.used = f.tick
	f.files[line] = is
	if f.size += is.size; f.size > f.room {
		f.trim(f.room / 4 * 3) // trim well below the limit, so that not every add trims
	}
}

// empty deletes all packs.
func (f *folder) empty() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trim(0)
}

// trim deletes the least recently used packs until the rest takes at most that much room.
func (f *folder) trim(to int64) {
	lines := make([]events.Name, 0, len(f.files))
	for name := range f.files {
		lines = append(lines, name)
	}
	slices.SortFunc(lines, func(a, b events.Name) int { return cmp.Compare(f.files[a].used, f.files[b].used) })
	for _, name := range lines {
		if f.size <= to {
			return
		}
		f.size -= f.files[name].size
		_ = os.Remove(f.path(name, f.files[name].last))
		delete(f.files, name)
	}
}

// read returns a pack's bytes, as many as were written: a shorter or longer file is not the one in the index.
func (f *folder) read(line events.Name, is file) ([]byte, error) {
	from, err := os.Open(f.path(line, is.last))
	if err != nil {
		return nil, fmt.Errorf("packs: %w", err)
	}
	b := make([]byte, is.size)
	_, err = io.ReadFull(from, b)
	if err = errors.Join(err, from.Close()); err != nil {
		return nil, fmt.Errorf("packs: %w", err)
	}
	return b, nil
}

const unfinished = "unfinished-" // before a name, while a pack is being written

// write writes a pack and takes it into the index. It need not survive a power cut: a torn pack is detected.
func (f *folder) write(line events.Name, last uint64, b []byte) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("packs: %w", err)
	}
	path, half := f.path(line, last), filepath.Join(f.dir, unfinished+line.String())
	err := os.WriteFile(half, b, 0o600)
	if err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		_ = os.Remove(half)
		return fmt.Errorf("packs: %w", err)
	}
	f.add(line, file{last: last, size: int64(len(b))})
	return nil
}

// want queues a line for packing, unless too many wait.
func (p *Packs) want(line events.Name) {
	select {
	case p.wants <- line:
	default:
	}
}

// afterFailure is how long nothing is packed after a failed write.
const afterFailure = time.Minute

// run packs what is wanted, and rests as long as that took: a pack is never needed at once.
func (p *Packs) run() {
	if err := p.index(); err != nil {
		p.alarm(err)
		return
	}
	failed := false
	for {
		select {
		case <-p.life.Done():
			return
		case line := <-p.wants:
			began := time.Now()
			err := p.make(line)
			rest := time.Since(began)
			if p.life.Err() != nil {
				return
			}
			if err != nil {
				p.empty() // others need the space on a full disk
				if !failed {
					p.alarm(err) // once, until it works again
				}
				rest = afterFailure
			}
			failed = err != nil
			select {
			case <-p.life.Done():
				return
			case <-time.After(rest):
			}
		}
	}
}

// make packs a line as it stands.
func (p *Packs) make(line events.Name) error {
	if f, ok := p.find(line); ok { // it was wanted more than once
		if head, err := p.log.Head(p.life, line); err != nil || !p.outgrown(f.last, head.Version) {
			return nil
		}
	}
	recs, err := p.log.Load(p.life, line, 0, 0)
	if err != nil || uint64(len(recs)) < p.least {
		return nil // the next reader of the line finds out what is wrong with it
	}
	b := p.seal.pack(line, recs)
	if int64(len(b)) > p.room/8 {
		return nil
	}
	return p.write(line, recs[len(recs)-1].Version, b)
}
