package domain

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// readPublic reads an envelope in exactly the form that appendPublic writes, without
// reflection: a page that looks back folds a whole game. ok is false for any other form,
// which encoding/json then reads; what stands in Body is not yet known to be JSON.
func readPublic(b []byte) (env envelope, ok bool) {
	r := scanner{b: b}
	if !r.skip(`{"seat":`) {
		return env, false
	}
	env.Seat = Seat(r.integer(8))
	if r.skip(`,"move":`) {
		env.Move = r.text()
	}
	if r.skip(`,"draws":[`) {
		env.Draws = make([]Draw, 0, max(1, bytes.Count(r.b[r.at:], []byte("[\""))))
		for again := true; again && !r.failed; again = r.skip(",") {
			env.Draws = append(env.Draws, r.draw())
		}
		r.must("]")
	}
	env.Anew = r.skip(`,"anew":true`)
	r.must(`,"body":`)
	if r.failed || len(b) <= r.at || b[len(b)-1] != '}' {
		return env, false
	}
	env.Body = json.RawMessage(b[r.at : len(b)-1])
	return env, true
}

// scanner reads what was written by hand. Once something is not as expected it has failed,
// and what it reads means nothing.
type scanner struct {
	b      []byte
	at     int
	failed bool
}

// skip steps over a text that stands here, if it does.
func (r *scanner) skip(text string) bool {
	if r.failed || len(r.b)-r.at < len(text) || string(r.b[r.at:r.at+len(text)]) != text {
		return false
	}
	r.at += len(text)
	return true
}

func (r *scanner) must(text string) { r.failed = !r.skip(text) || r.failed }

// number is the digits that stand here, as JSON writes them.
func (r *scanner) number() string {
	from := r.at
	r.skip("-")
	digits := r.at
	for r.at < len(r.b) && r.b[r.at] >= '0' && r.b[r.at] <= '9' {
		r.at++
	}
	if r.at == digits || r.at > digits+1 && r.b[digits] == '0' {
		r.failed = true
	}
	return string(r.b[from:r.at])
}

func (r *scanner) integer(bits int) int {
	n, err := strconv.ParseInt(r.number(), 10, bits)
	r.failed = r.failed || err != nil
	return int(n)
}

// text is a string of printable ASCII without escapes, which is nearly every one.
func (r *scanner) text() string {
	if !r.skip(`"`) {
		r.failed = true
		return ""
	}
	from := r.at
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '"':
			r.at++
			return string(r.b[from : r.at-1])
		case c < ' ' || c > '~' || c == '\\':
			r.failed = true
			return ""
		}
	}
	r.failed = true
	return ""
}

// draw is ["tile",3,71], or with a 1 at its end.
func (r *scanner) draw() (d Draw) {
	r.must("[")
	d.Purpose = r.text()
	r.must(",")
	k, err := strconv.ParseUint(r.number(), 10, 64)
	r.failed = r.failed || err != nil
	d.K = k
	r.must(",")
	d.Size = r.integer(strconv.IntSize)
	d.Unseen = r.skip(",1")
	r.must("]")
	return d
}
