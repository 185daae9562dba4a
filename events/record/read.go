package record

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"unicode/utf8"

	"posthorn/events"
)

// ErrFormat is returned for a file that is not a record.
var ErrFormat = errors.New("not a record of this form (" + Format + ")")

// File is a record read from a file or a log.
type File struct {
	Header Header
	Events []Event
	// Before holds the finished records of the tables that a branch goes on from, furthest first: a branch's handover
	// has them in the same file.
	Before []*File
	first  int   // the line of its header
	lines  []int // of each event; 0 if it was read from a log
	log    bool  // it was read from a log
	opened bool  // a handover whose secrets the receiving server has opened
}

// Longest is the longest record, and longestLine the longest line of one, in bytes.
const (
	Longest     = 1 << 30
	longestLine = 16 << 20
)

// Read reads a record, or a branch's handover with the records that come with it. It returns a *Fault naming the line
// if something is malformed or damaged, and ErrFormat for a file that is no record at all.
func Read(r io.Reader) (*File, error) {
	bounded := &io.LimitedReader{R: r, N: Longest}
	in := bufio.NewScanner(bounded)
	in.Buffer(make([]byte, 64<<10), longestLine)
	ended := true
	in.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		// split at line feeds alone: any other character counts
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if !atEOF || len(data) == 0 {
			return 0, nil, nil
		}
		ended = false
		return len(data), data, nil
	})
	read := reader{file: &File{}}
	for in.Scan() {
		if err := read.take(in.Bytes()); err != nil {
			return read.file, err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return read.file, &Fault{Line: read.line + 1,
			What: fmt.Sprintf("the line is malformed: it has more than %d bytes", longestLine)}
	} else if err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if read.line == 0 {
		return nil, ErrFormat
	}
	if bounded.N == 0 {
		return nil, fmt.Errorf("read record: more than %d bytes: %w", Longest, ErrFormat)
	}
	if !read.whole || read.more > 0 || !ended {
		return read.file, &Fault{Line: read.line, What: "the record breaks off: its last line, the sum, is missing"}
	}
	return read.file, nil
}

// reader takes a file line by line.
type reader struct {
	file   *File // the record being read
	before []*File
	more   int // records still to come after it
	sum    hash.Hash
	line   int
	whole  bool // its last line was read
}

func (r *reader) take(text []byte) (err error) {
	r.line++
	switch {
	case r.line == 1 && saysBundle(text):
		r.more, err = readBundle(text)
		r.whole = true // the next line begins a record
		return err
	case r.line == 1, r.whole && r.more > 0:
		r.begin()
		err = r.file.readHeader(text)
	case r.whole:
		err = &Fault{Line: r.line, What: "nothing may come after the sum"}
	case bytes.HasPrefix(text, []byte(`{"sum":`)):
		r.whole, err = true, checkSum(r.line, text, events.Hash(r.sum.Sum(nil)))
	default:
		err = r.file.readEvent(r.line, text)
	}
	if err == nil {
		_, _ = r.sum.Write(text)
		_, _ = r.sum.Write([]byte{'\n'})
	}
	return err
}

// begin prepares for a record's first line.
func (r *reader) begin() {
	if r.whole {
		r.more--
		if r.file.Header.Format != "" {
			r.before = append(r.before, r.file)
		}
	}
	r.file, r.sum, r.whole = &File{first: r.line}, sha256.New(), false
	if r.more == 0 {
		r.file.Before = r.before
	}
}

func (f *File) readHeader(text []byte) error {
	var said struct{ Format, Exported string }
	if err := json.Unmarshal(text, &said); said.Format != Format {
		if err != nil {
			return fmt.Errorf("line %d: %w: %w", f.first, ErrFormat, err)
		}
		return fmt.Errorf("line %d: %w", f.first, ErrFormat)
	}
	if err := json.Unmarshal(text, &f.Header); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, &Fault{Line: f.first, What: "the line is malformed: " + err.Error()})
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(text, &members)
	if members["exported"] != nil && said.Exported != f.Header.Exported.Format(wholeSeconds) ||
		members["key"] != nil && len(f.Header.Key) != ed25519.PublicKeySize || saysNothing(text) {
		return fmt.Errorf("%w: %w", ErrFormat,
			&Fault{Line: f.first, What: "the line is malformed: its time, its key or a list is none"})
	}
	if err := written(f.first, text, f.Header, events.Name{}, 0); err != nil {
		return err
	}
	if slices.ContainsFunc(f.Header.Streams, func(s events.Stream) bool { return s.Rulebook == "" }) {
		return &Fault{Line: f.first, What: "the line is not written as a record writes it: it was altered"}
	}
	return nil
}

// wholeSeconds is how a header writes its time, in UTC.
const wholeSeconds = "2006-01-02T15:04:05Z"

// written reports whether a line is exactly what writing its value gives: then no two readers read it differently.
func written(line int, text []byte, value any, stream events.Name, version uint64) error {
	var again bytes.Buffer
	if !utf8.Valid(text) {
		return &Fault{Line: line, What: "the line is malformed: it is no UTF-8"}
	}
	if err := encoder(&again).Encode(value); err != nil ||
		!bytes.Equal(bytes.TrimSuffix(again.Bytes(), []byte{'\n'}), text) {
		if saysNothing(text) {
			return &Fault{Line: line, What: "the line is malformed: null stands where something must"}
		}
		return &Fault{Line: line, Stream: stream, Version: version,
			What: "the line is not written as a record writes it: it was altered"}
	}
	return nil
}

// saysNothing reports whether a member of a line, or of something in its lists, is null, which no type here allows.
func saysNothing(text []byte) bool {
	var members map[string]json.RawMessage
	if string(text) == "null" || json.Unmarshal(text, &members) != nil {
		return string(text) == "null"
	}
	for name, value := range members {
		var list []json.RawMessage
		if string(value) == "null" || name != "meta" && name != "data" && json.Unmarshal(value, &list) == nil &&
			slices.ContainsFunc(list, func(m json.RawMessage) bool { return saysNothing(m) }) {
			return true
		}
	}
	return false
}

func (f *File) readEvent(line int, text []byte) error {
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return &Fault{Line: line, What: "the line is malformed: " + err.Error()}
	}
	if bytesAsNumbers(text) {
		return &Fault{Line: line, What: "the line is malformed: salt and sealed are base64"}
	}
	if len(e.Meta) > 0 && e.Meta[0] != '{' || len(e.Data) > 0 && e.Data[0] != '{' {
		return &Fault{Line: line, What: "the line is malformed: meta and data are objects"}
	}
	if err := written(line, text, e, e.Stream, e.Version); err != nil {
		return err
	}
	f.Events = append(f.Events, e)
	f.lines = append(f.lines, line)
	return nil
}

// bytesAsNumbers reports whether bytes of a secret part are a list of numbers, which encoding/json takes as well.
func bytesAsNumbers(text []byte) bool {
	if !bytes.Contains(text, []byte(`"salt":[`)) && !bytes.Contains(text, []byte(`"sealed":[`)) {
		return false
	}
	var e struct {
		Parts []struct{ Salt, Sealed json.RawMessage }
	}
	if json.Unmarshal(text, &e) != nil {
		return false
	}
	for _, p := range e.Parts {
		if bytes.HasPrefix(p.Salt, []byte("[")) || bytes.HasPrefix(p.Sealed, []byte("[")) {
			return true
		}
	}
	return false
}

func checkSum(line int, text []byte, want events.Hash) error {
	var last footer
	if err := json.Unmarshal(text, &last); err != nil {
		return &Fault{Line: line, What: "the line is malformed: " + err.Error()}
	}
	if err := written(line, text, last, events.Name{}, 0); err != nil {
		return err
	}
	if last.Sum != want {
		return &Fault{Line: line, What: "the sum does not fit: the file was damaged or altered"}
	}
	return nil
}

// Fault is the first thing wrong in a record.
type Fault struct {
	Line    int // of the file; 0 if it is not about a line
	Stream  events.Name
	Version uint64
	Pos     uint64 // in a log; 0 if it is not about an event there
	What    string
}

func (f *Fault) Error() string {
	s := ""
	if f.Line > 0 {
		s = fmt.Sprintf("line %d: ", f.Line)
	}
	if f.Pos > 0 {
		s += fmt.Sprintf("position %d, ", f.Pos)
	}
	if f.Version > 0 {
		s += fmt.Sprintf("stream %s, version %d: ", f.Stream, f.Version)
	}
	return s + f.What
}

// fault describes something wrong with an event.
func (f *File) fault(i int, format string, args ...any) *Fault {
	e := &f.Events[i]
	return &Fault{Line: f.lines[i], Stream: e.Stream, Version: e.Version, What: fmt.Sprintf(format, args...)}
}
