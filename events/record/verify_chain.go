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
func (v *verifier) chain() error {
	if err := v.ancestry(); err != nil {
		return err
	}
	commands := map[events.CommandID]bool{}
	for i := range v.f.Events {
		v.now = i
		e := &v.f.Events[i]
		s, ok := v.streams[e.Stream]
		if !ok {
			return v.fault(i, "the header does not name this stream")
		}
		if _, seen := v.last[e.Stream]; !seen {
			v.last[e.Stream] = s.Fork
		}
		if e.Version != v.last[e.Stream]+1 {
			return v.fault(i, "version %d should come here", v.last[e.Stream]+1)
		}
		prev, err := v.before(i, s)
		if err != nil {
			return err
		}
		rec := e.record()
		switch {
		case events.ChainHash(prev, &rec) != e.Hash:
			return v.fault(i, "the event was altered: its hash does not fit")
		case !plainJSON(e.Data) || !plainJSON(e.Meta):
			return v.fault(i, "something is said twice in it, so that one reader may read what another does not")
		case e.Codec != "json":
			return v.fault(i, "%q is no way in which events are written", e.Codec)
		case s.Table == v.f.Header.Table && (e.Command == events.CommandID{} || commands[e.Command]):
			return v.fault(i, "its command was done before at this table")
		}
		if s.Table == v.f.Header.Table {
			commands[e.Command] = true
		}
		v.last[e.Stream] = e.Version
		v.at[place{e.Stream, e.Version}] = i
		v.report.Events++
	}
	for _, s := range v.f.Header.Streams {
		if s.Table == v.f.Header.Table && v.last[s.Name] == 0 {
			return streamFault(s.Name, s.Fork+1, "the record holds no event of this stream")
		}
	}
	return nil
}

// ancestry checks what the header says of the streams by itself.
func (v *verifier) ancestry() error {
	if len(v.streams) != len(v.f.Header.Streams) {
		return &Fault{Line: 1, What: "the header names a stream twice"}
	}
	for _, s := range v.f.Header.Streams {
		fault := func(what string) error { return streamFault(s.Name, s.Fork+1, "%s", what) }
		if s.Parent.IsZero() != (s.Fork == 0) {
			return fault("the stream forks from nothing, or at no version")
		}
		p := s
		for range len(v.streams) + 1 {
			if p.Parent.IsZero() {
				break
			}
			parent, ok := v.streams[p.Parent]
			if !ok {
				return fault("the header does not name the stream it forked from")
			}
			p = parent
		}
		if !p.Parent.IsZero() {
			return fault("the stream is its own ancestor")
		}
	}
	return nil
}

func (v *verifier) before(i int, s events.Stream) (events.Hash, error) {
	e := &v.f.Events[i]
	if e.Version == s.Fork+1 && s.Parent.IsZero() {
		return s.Origin, nil
	}
	if j, ok := v.find(e.Stream, e.Version-1); ok {
		return v.f.Events[j].Hash, nil
	}
	return events.Hash{}, v.fault(i, "the event before it is missing")
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
func (v *verifier) secrets() error {
	for i := range v.f.Events {
		v.now = i
		for n, p := range v.f.Events[i].Parts {
			if p.Text == nil {
				v.report.Hidden++
				continue
			}
			if len(p.Salt) != 32 || events.PartDigest([32]byte(p.Salt), []byte(*p.Text)) != p.Digest {
				return v.fault(i, "secret part %d does not fit its digest", n)
			}
			if !plainJSON([]byte(*p.Text)) && v.f.Events[i].Type != typeOpened {
				return v.fault(i, "something is said twice in secret part %d, so that one reader may read what another does not", n)
			}
			v.report.Secrets++
		}
	}
	return nil
}

// plainJSON tells whether a text is one JSON value in which no object names a member twice, be it in
// other letters: of two, some readers take the first and some the last.
func plainJSON(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	type level struct {
		names map[string]bool // nil in a list
		value bool            // a member's value comes next
	}
	var open []*level
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		var in *level
		if len(open) > 0 {
			in = open[len(open)-1]
		}
		switch name, text := t.(string); {
		case t == json.Delim('}') || t == json.Delim(']'):
			open = open[:len(open)-1]
		case in != nil && in.names != nil && !in.value:
			name = strings.ToLower(name)
			if !text || in.names[name] {
				return false
			}
			in.names[name], in.value = true, true
			continue
		default:
			if in != nil {
				in.value = false
			}
			switch t {
			case json.Delim('{'):
				open = append(open, &level{names: map[string]bool{}})
			case json.Delim('['):
				open = append(open, &level{})
			}
		}
		if len(open) == 0 {
			return !d.More()
		}
	}
}
