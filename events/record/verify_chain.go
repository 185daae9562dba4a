package record

import (
	"bytes"
	"encoding/json"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// typeOpened is the event whose secret part is the seed, and no JSON.
var typeOpened = domain.TableEventType(&domain.Opened{})

// chain checks that every event follows from the one before it.
func (v *verifier) chain() {
	commands := map[events.CommandID]bool{}
	for i, e := range v.each() {
		s, ok := v.streams[e.Stream]
		v.must(ok, i, "the header does not name this stream")
		next := max(v.last[e.Stream], s.Fork) + 1
		v.must(e.Version == next, i, "version %d should come here", next)
		rec := e.record()
		v.must(events.ChainHash(v.before(i, s), &rec) == e.Hash, i, "the event was altered: its hash does not fit")
		v.must(plainJSON(e.Data) && plainJSON(e.Meta), i, "something is said twice in it, so that one reader may read what another does not")
		v.must(e.Codec == "json", i, "%q is no way in which events are written", e.Codec)
		if s.Table == v.f.Header.Table {
			v.must(e.Command != events.CommandID{} && !commands[e.Command], i, "its command was done before at this table")
			commands[e.Command] = true
		}
		v.last[e.Stream] = e.Version
		v.at[place{e.Stream, e.Version}] = i
		v.report.Events++
	}
	for _, s := range v.f.Header.Streams {
		mustAt(s.Table != v.f.Header.Table || v.last[s.Name] > 0, s.Name, s.Fork+1, "the record holds no event of this stream")
	}
}

// ancestry checks what the header says of the streams by itself.
func (v *verifier) ancestry() {
	mustAt(len(v.streams) == len(v.f.Header.Streams), events.Name{}, 0, "the header names a stream twice")
	for _, s := range v.f.Header.Streams {
		mustAt(s.Parent.IsZero() == (s.Fork == 0), s.Name, s.Fork+1, "the stream forks from nothing, or at no version")
		p := s
		for n := 0; !p.Parent.IsZero(); n++ {
			parent, ok := v.streams[p.Parent]
			mustAt(ok, s.Name, s.Fork+1, "the header does not name the stream it forked from")
			mustAt(n <= len(v.streams), s.Name, s.Fork+1, "the stream is its own ancestor")
			p = parent
		}
	}
}

func (v *verifier) before(i int, s events.Stream) events.Hash {
	e := &v.f.Events[i]
	if e.Version == s.Fork+1 && s.Parent.IsZero() {
		return s.Origin
	}
	j, ok := v.find(e.Stream, e.Version-1)
	v.must(ok, i, "the event before it is missing")
	return v.f.Events[j].Hash
}

// find looks a version up in a stream or, before its fork, in an ancestor.
func (v *verifier) find(stream events.Name, version uint64) (int, bool) {
	for range len(v.streams) + 1 {
		s, ok := v.streams[stream]
		if !ok {
			return 0, false
		}
		if version > s.Fork {
			i, ok := v.at[place{stream, version}]
			return i, ok
		}
		stream = s.Parent
	}
	return 0, false
}

// secrets checks the parts that are open against their digests.
func (v *verifier) secrets() {
	for i, e := range v.each() {
		for n, p := range e.Parts {
			if p.Text == nil {
				v.report.Hidden++
				continue
			}
			v.must(len(p.Salt) == 32 && events.PartDigest([32]byte(p.Salt), []byte(*p.Text)) == p.Digest, i, "secret part %d does not fit its digest", n)
			v.must(plainJSON([]byte(*p.Text)) || e.Type == typeOpened, i, "something is said twice in secret part %d, so that one reader may read what another does not", n)
			v.report.Secrets++
		}
	}
}

// plainJSON tells whether a text is one JSON value in which no object names a member twice, be it in
// other letters: of two, some readers take the first and some the last.
func plainJSON(text []byte) bool {
	return json.Valid(text) && plainValue(json.NewDecoder(bytes.NewReader(text)))
}

// plainValue is plainJSON of the next value of a valid text.
func plainValue(d *json.Decoder) bool {
	open, err := d.Token()
	if _, nested := open.(json.Delim); !nested || err != nil {
		return err == nil
	}
	names := map[string]bool{}
	for d.More() {
		if open == json.Delim('{') {
			t, _ := d.Token()
			name, _ := t.(string)
			if name = strings.ToLower(name); names[name] {
				return false
			}
			names[name] = true
		}
		if !plainValue(d) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}
