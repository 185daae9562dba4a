package domain

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"

	"posthorn/domain/codec"
)

// Key is the 256-bit secret from which a line's draws are computed.
type Key [32]byte

// MarshalText writes hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(k[:])), nil }

// UnmarshalText reads hexadecimal digits.
func (k *Key) UnmarshalText(b []byte) error {
	if hex.DecodedLen(len(b)) != len(k) {
		return fmt.Errorf("a key of %d hexadecimal digits", len(b))
	}
	if _, err := hex.Decode(k[:], b); err != nil {
		return fmt.Errorf("key: %w", err)
	}
	return nil
}

// LineKey returns the key of a table's line number i (0 is the first): K = HMAC(HMAC(seed, i), contributions), each
// contribution length-prefixed, in the order given. The commitment to the seed at the table's opening thus binds every
// line of the table.
func LineKey(seed Key, i int, contributions [][]byte) Key {
	m := hmac.New(sha256.New, seed[:])
	_, _ = m.Write(binary.BigEndian.AppendUint64(nil, uint64(i)))
	line := m.Sum(nil)
	m = hmac.New(sha256.New, line)
	for _, c := range contributions {
		_, _ = m.Write(binary.BigEndian.AppendUint64(nil, uint64(len(c))))
		_, _ = m.Write(c)
	}
	return Key(m.Sum(nil))
}

// Draw names one draw of luck: its purpose, its number among that purpose's draws on the line (from 0, continuing
// across forks), and how many outcomes there were. Unseen marks a draw whose outcome nobody saw (a shuffled stack): a
// proposal to go back does not count it. Its JSON is ["tile",3,71], with a fourth element 1 if unseen.
type Draw struct {
	Purpose string
	K       uint64
	Size    int
	Unseen  bool `json:",omitempty"`
}

// Tuple makes the codec write a draw as an array.
func (*Draw) Tuple() {}

// append writes a draw as that array.
func (d *Draw) append(dst []byte) []byte {
	dst = codec.AppendString(append(dst, '['), d.Purpose)
	dst = codec.AppendNumber(append(dst, ','), int64(d.K))
	dst = codec.AppendNumber(append(dst, ','), int64(d.Size))
	if d.Unseen {
		dst = append(dst, ",1"...)
	}
	return append(dst, ']')
}

// MarshalJSON writes a draw as an array.
func (d Draw) MarshalJSON() ([]byte, error) { return codec.Marshal(&d) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Draw) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, d) }

// Taken is a draw that a forked line takes over from an earlier one: the same purpose and number come again, whatever
// the size is then.
type Taken struct {
	Purpose string `json:"p"`    // its purpose
	K       uint64 `json:"k"`    // its number
	Line    int    `json:"line"` // the number of the line whose key computes it
}

// Source is a line's chance: a key, how far each purpose has been drawn, the draws taken over from other lines and, in
// scripts, the dictated outcomes.
type Source struct {
	key      Key
	proves   bool      // false in a throw-away source, whose draws come from quick
	mac      hash.Hash // of the key, once something has been drawn
	quick    uint64
	counts   []purposed
	taken    map[drawID]Key
	dictated map[string][]Outcome
	msg, sum []byte // scratch, so that a draw allocates nothing
	spare    []Luck // for decisions to come
}

// purposed counts the draws for one purpose. There are few purposes, so a list is faster than a map.
type purposed struct {
	purpose string
	n       uint64
}

type drawID struct {
	purpose string
	k       uint64
}

// Outcome is a dictated result of chance: its words and their place in the script.
type Outcome struct {
	Words string
	Line  int
}

// Impossible is returned by [Luck.Err] when a dictated outcome cannot come to pass.
type Impossible struct {
	Kind string
	Outcome
	Why string
}

func (i *Impossible) Error() string {
	return fmt.Sprintf("line %d: chance %s %s: %s", i.Line, i.Kind, i.Words, i.Why)
}

// NewSource returns chance from a key.
func NewSource(key Key) *Source {
	return &Source{key: key, proves: true}
}

// NewThrowaway returns chance from a number, for look-ahead, simulations, scripts and samples. Never use it for a
// table: its draws are as even, but anyone can guess them. They are the same on every machine.
func NewThrowaway(seed uint64) *Source {
	return &Source{quick: mix(seed + golden)}
}

// Again resets a throw-away source to what [NewThrowaway] returns for a number. For a caller that tries thousands of
// moves, a new source each time would cost more than the draws.
func (s *Source) Again(seed uint64) {
	s.quick = mix(seed + golden)
	s.counts = s.counts[:0]
}

// golden is 2⁶⁴ divided by the golden ratio: the step of splitmix64.
const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of splitmix64: every bit of x changes half the bits of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// throwaway returns the 64 bits of a throw-away draw. Proving it by HMAC would cost a simulation more than the rules
// do.
func (s *Source) throwaway(purpose string, k, try uint64) uint64 {
	h := s.quick ^ uint64(len(purpose))
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 0x100000001b3
	}
	return mix(mix(mix(h)+golden*(k+1)) + golden*try)
}

// TakeOver makes a draw come again as another line's key gives it.
func (s *Source) TakeOver(purpose string, k uint64, key Key) {
	if s.taken == nil {
		s.taken = map[drawID]Key{}
	}
	s.taken[drawID{purpose, k}] = key
}

// Dictate appends an outcome for Luck.Pick to take for that kind.
func (s *Source) Dictate(kind string, o Outcome) {
	if s.dictated == nil {
		s.dictated = map[string][]Outcome{}
	}
	s.dictated[kind] = append(s.dictated[kind], o)
}

// Count notes that an event used these draws, so that later draws continue after them.
func (s *Source) Count(draws []Draw) {
	for i := range draws {
		d := &draws[i]
		at := s.purpose(d.Purpose)
		if at < 0 {
			at = len(s.counts)
			s.counts = append(s.counts, purposed{purpose: d.Purpose})
		}
		s.counts[at].n = max(s.counts[at].n, d.K+1)
	}
}

// purpose returns the index of a purpose's count; -1 if there were no draws for it.
func (s *Source) purpose(of string) int {
	return slices.IndexFunc(s.counts, func(p purposed) bool { return p.purpose == of })
}

// Begin starts a decision. It uses nothing up until the caller counts the event that names the draws and commits the
// outcomes: a refused move uses no chance.
func (s *Source) Begin() *Luck {
	if len(s.spare) == 0 {
		s.spare = make([]Luck, 8)
	}
	l := &s.spare[0]
	s.spare = s.spare[1:]
	l.src, l.used = s, l.first[:0]
	return l
}

// unused reports whether a decision left no trace in its luck.
func (l *Luck) unused() bool { return len(l.used) == 0 && len(l.dictated) == 0 && l.err == nil }

// Commit uses up the dictated outcomes that a decision took.
func (s *Source) Commit(l *Luck) {
	for kind, n := range l.dictated {
		s.dictated[kind] = s.dictated[kind][n:]
	}
}

// Luck is the chance handed to one decision. A nil Luck panics when drawn from: a caller may pass nil to Decide for a
// move that needs no luck.
type Luck struct {
	src      *Source
	used     []Draw
	first    [1]Draw // initial memory of used: most decisions draw once
	dictated map[string]int
	err      error
}

// Used lists the draws made, in their order.
func (l *Luck) Used() []Draw {
	if len(l.used) == 0 {
		return nil
	}
	return l.used
}

// Err returns the *Impossible of a dictated outcome, or nil.
func (l *Luck) Err() error { return l.err }

// Draw returns a number in [0, n), all equally likely, and records the draw. n is at least 1.
func (l *Luck) Draw(purpose string, n int) int { return l.draw(purpose, n, false) }

// DrawUnseen is Draw for an outcome that no person sees now: see [Draw].
func (l *Luck) DrawUnseen(purpose string, n int) int { return l.draw(purpose, n, true) }

// Shuffle returns a permutation of 0 … n-1 that nobody sees now.
func (l *Luck) Shuffle(purpose string, n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := l.DrawUnseen(purpose, i+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// Pick returns a number in [0, n): the next outcome dictated for this kind, as parse reads it, or else a draw for the
// purpose of the same name. An outcome that parse refuses is impossible and ends the script; Pick then returns 0, which
// callers must not rely on (see Err).
func (l *Luck) Pick(kind string, n int, parse func(words string) (int, error)) int {
	o, ok := l.Dictated(kind)
	if !ok {
		return l.Draw(kind, n)
	}
	i, err := parse(o.Words)
	if err == nil && (i < 0 || i >= n) {
		err = fmt.Errorf("no such outcome")
	}
	if err != nil {
		l.Reject(kind, o, err.Error())
		return 0
	}
	return i
}

// Dictated takes the next outcome dictated for a kind, if there is one. It is for outcomes that are not a single
// number, such as a whole board or a stack.
func (l *Luck) Dictated(kind string) (Outcome, bool) {
	if l.src.dictated == nil {
		return Outcome{}, false
	}
	n := l.dictated[kind]
	if n >= len(l.src.dictated[kind]) {
		return Outcome{}, false
	}
	if l.dictated == nil {
		l.dictated = map[string]int{}
	}
	l.dictated[kind] = n + 1
	return l.src.dictated[kind][n], true
}

// Reject records that a dictated outcome cannot come to pass. Only the first counts.
func (l *Luck) Reject(kind string, o Outcome, why string) {
	if l.err == nil {
		l.err = &Impossible{Kind: kind, Outcome: o, Why: why}
	}
}

func (l *Luck) draw(purpose string, n int, unseen bool) int {
	if n < 1 {
		panic("domain: a draw of no outcomes for " + purpose)
	}
	k := uint64(0)
	if at := l.src.purpose(purpose); at >= 0 {
		k = l.src.counts[at].n
	}
	for i := len(l.used) - 1; i >= 0; i-- {
		if l.used[i].Purpose == purpose {
			k = l.used[i].K + 1
			break
		}
	}
	l.used = append(l.used, Draw{Purpose: purpose, K: k, Size: n, Unseen: unseen})
	return l.src.outcome(purpose, k, n)
}

// outcome takes the first 64 bits of try = 0, 1, … until they fall below the largest
// multiple of n, so that no outcome is favoured.
func (s *Source) outcome(purpose string, k uint64, n int) int {
	mac := s.macOf(purpose, k)
	for try := uint64(0); ; try++ {
		x := uint64(0)
		if mac == nil {
			x = s.throwaway(purpose, k, try)
		} else {
			x = s.proved(mac, purpose, k, try)
		}
		drawn := x % uint64(n)
		if x-drawn <= -uint64(n) { // the run from the last multiple of n below 2⁶⁴ is cut short
			return int(drawn)
		}
	}
}

// macOf returns the HMAC that proves a draw, with the source's key or that of the line it is taken over from; nil if
// nothing proves it. Most copies of a source draw nothing, so the HMAC is made on demand.
func (s *Source) macOf(purpose string, k uint64) hash.Hash {
	if s.taken != nil {
		if key, ok := s.taken[drawID{purpose, k}]; ok {
			return hmac.New(sha256.New, key[:])
		}
	}
	if s.mac == nil && s.proves {
		s.mac = hmac.New(sha256.New, s.key[:])
	}
	return s.mac
}

// proved returns the first 64 bits of HMAC(K, purpose, k, try), each number in eight bytes and the purpose after its
// length. These are a table's draws, which anyone can recompute once its seed is open.
func (s *Source) proved(mac hash.Hash, purpose string, k, try uint64) uint64 {
	msg := binary.BigEndian.AppendUint64(s.msg[:0], uint64(len(purpose)))
	msg = append(msg, purpose...)
	msg = binary.BigEndian.AppendUint64(msg, k)
	msg = binary.BigEndian.AppendUint64(msg, try)
	s.msg = msg
	mac.Reset()
	_, _ = mac.Write(msg)
	s.sum = mac.Sum(s.sum[:0])
	return binary.BigEndian.Uint64(s.sum)
}

// clone copies a source: drawing from, committing to or dictating to one does not change the other.
func (s *Source) clone() *Source {
	c := *s
	c.msg, c.sum, c.spare, c.mac = nil, nil, nil, nil
	c.counts = slices.Clone(s.counts)
	c.taken = maps.Clone(s.taken)
	c.dictated = maps.Clone(s.dictated)
	for kind, outcomes := range c.dictated {
		c.dictated[kind] = slices.Clone(outcomes)
	}
	return &c
}
