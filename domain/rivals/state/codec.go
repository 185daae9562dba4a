package state

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// What secret parts are padded to, in bytes: a deal's to the names of all cards there are; a move's to all cards of a
// stack that somebody looks through, or the reshuffled event stack: 540 bytes at most in whole random games. With
// everything sealed beside it, it stays below a quarter of an SQLite page; anything longer takes a page of its own.
const (
	dealtPad  = 4096
	playedPad = 832
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		{Name: dealtType, Body: func() any { return &Dealt{} }, Secret: func() any { return &Cards{} }, PadTo: dealtPad,
			CountedAs: "dealt.v2"},
		{Name: PlayedType, Body: func() any { return &Played{} }, Secret: func() any { return &Hidden{} },
			PadTo: playedPad, CountedAs: "played.v2"},
	}}
}

// Ops is a list of outcomes.
type Ops []Op

// AppendJSON writes a form that encoding/json can read.
func (list Ops) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = list[i].append(dst)
	}
	return append(dst, ']')
}

// ReadJSON reads what AppendJSON wrote.
func (list *Ops) ReadJSON(r *codec.Reader) {
	codec.List(r, (*[]Op)(list), (*Op).read)
}

// MarshalJSON is AppendJSON.
func (list Ops) MarshalJSON() ([]byte, error) { return list.AppendJSON(nil), nil }

// How a task is written: how it begins, by its kind, and the keys of its fields.
var (
	taskHeads = func() (heads [TaskKinds]codec.Word) {
		for kind, word := range TaskNames {
			heads[kind] = codec.WordOf(`{"kind":"` + word + `"`)
		}
		return heads
	}()
	taskSeat, taskN, taskSite = codec.WordOf(`,"seat":"`), codec.WordOf(`,"n":`), codec.WordOf(`,"site":`)
	taskArg, taskMask, taskID = codec.WordOf(`,"arg":`), codec.WordOf(`,"mask":`), codec.WordOf(`,"id":`)
)

// AppendJSON writes a form that UnmarshalJSON reads.
func (t *Task) AppendJSON(dst []byte) []byte {
	dst = taskHeads[t.Kind].Append(dst)
	if t.Seat >= 0 {
		dst = append(taskSeat.Append(dst), 'A'+byte(t.Seat), '"')
	}
	dst = appendField(dst, &taskN, int64(t.N))
	if t.Res != 0 {
		dst = append(dst, `,"goods":[`...)
		for res := range table.Res(table.Resources) {
			if t.Res.Has(res) {
				dst = append(append(append(dst, '"'), table.ResNames[res]...), '"', ',')
			}
		}
		dst[len(dst)-1] = ']'
	}
	if t.Need != (table.Goods{}) {
		dst = append(dst, `,"need":[`...)
		for _, n := range t.Need {
			dst = append(codec.AppendNumber(dst, int64(n)), ',')
		}
		dst[len(dst)-1] = ']'
	}
	if t.Card != table.NoCard {
		dst = append(dst, `,"card":"`...)
		dst = append(append(dst, t.Card.Name()...), '"')
	}
	dst = appendField(dst, &taskSite, int64(t.Site))
	dst = appendField(dst, &taskArg, int64(t.Arg))
	dst = appendField(dst, &taskMask, int64(t.Mask))
	return append(appendField(dst, &taskID, int64(t.ID)), '}')
}

func appendField(dst []byte, key *codec.Word, n int64) []byte {
	if n == 0 {
		return dst
	}
	return codec.AppendNumber(key.Append(dst), n)
}

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	if e.Seat < 0 || e.Seat > 1 || len(p.Tasks) > len(State{}.Tasks) ||
		slices.ContainsFunc(p.Ops, func(o Op) bool {
			return o.Code == OpHidden && (o.N < 0 || int(o.N) >= len(e.Secrets))
		}) ||
		slices.ContainsFunc(p.Tasks, func(t Task) bool { return !t.fits() }) {
		return ErrOdd
	}
	return nil
}

// fits reports whether a task belongs to somebody or nobody, and its site and stack exist.
func (t *Task) fits() bool {
	if (t.Kind == TaskPick || t.Kind == TaskHand || t.Kind == TaskLook) && (t.Arg < 0 || t.Arg >= table.DecksN) {
		return false
	}
	return t.Kind < TaskKinds && t.Seat >= domain.Nobody && t.Seat <= 1 &&
		(t.Site == table.NoSite || int(t.Site) < table.Columns*4)
}

// Check implements domain.Checker. Reading the body has already checked that it is a state.
func (d *Dealt) Check(e *domain.Event) error {
	for _, part := range e.Secrets {
		c, ok := part.Body.(*Cards)
		if !ok {
			continue
		}
		fits := len(c.Stacks) <= int(d.DecksN) && len(c.Known) <= 2 && len(c.Hand) <= table.MaxHand &&
			len(c.Events) <= table.MaxDeck && len(c.Spare) <= len(State{}.Spare) && len(c.Regions) <= len(State{}.Lands)
		for _, stack := range c.Stacks {
			fits = fits && len(stack) <= table.MaxDeck
		}
		if !fits {
			return ErrOdd
		}
	}
	return nil
}

// Check implements domain.Checker.
func (h *Hidden) Check(*domain.Event) error {
	if slices.ContainsFunc(h.Ops, func(o Op) bool { return o.Code == OpHidden }) {
		return ErrOdd
	}
	return nil
}

// An outcome is written as an array: its word, then its fields; cards, places and regions by name, everything else as
// a number.

// field is a field of outcomes: where it lies, which numbers it may have, and their words if it is written by name.
type field struct {
	name        string
	get         func(*Op) int
	set         func(*Op, int)
	least, most int
	words       []codec.Word        // as written: in quotes, with the comma before them
	named       codec.Meanings[int] // what each word means; of equal words, the first
}

func at(name string, get func(*Op) int, set func(*Op, int)) *field {
	return &field{name: name, get: get, set: set}
}

// within returns the field with its least and most number.
func (f *field) within(least, most int) *field {
	g := *f
	g.least, g.most = least, most
	return &g
}

// byName returns the field written by the names of its n values.
func (f *field) byName(n int, name func(int) string) *field {
	named := map[string]int{}
	for i := range n {
		word := name(i)
		f.words = append(f.words, codec.WordOf(`,"`+word+`"`))
		if _, taken := named[word]; !taken {
			named[word] = i
		}
	}
	f.named = codec.MeaningsOf(named)
	return f.within(0, n-1)
}

// oneOf returns the field written by the words of a list.
func (f *field) oneOf(list []string) *field {
	return f.byName(len(list), func(i int) string { return list[i] })
}

// The fields. Some outcomes have a narrower one: a seat that is not nobody, a stack that is not the other's hand, a
// place that is not the Gold Cache.
var (
	fAnybody = at("seat", func(o *Op) int { return int(o.Seat) }, func(o *Op, n int) { o.Seat = domain.Seat(n) }).
			within(int(domain.Nobody), 1)
	fSeat = fAnybody.within(0, 1)
	fCard = at("card", func(o *Op) int { return int(o.Card) }, func(o *Op, n int) { o.Card = table.Card(n) }).
		byName(len(table.Printings), func(i int) string { return table.Card(i).Name() })
	fStackOrHand = at("stack", func(o *Op) int { return int(o.Stack) }, func(o *Op, n int) { o.Stack = int8(n) }).
			within(int(OtherHand), table.DecksN-1)
	fStack = fStackOrHand.within(0, table.DecksN-1)
	fTo    = at("to", func(o *Op) int { return int(o.To) }, func(o *Op, n int) { o.To = uint8(n) }).
		within(int(ToDiscard), table.DecksN)
	fSite = at("site", func(o *Op) int { return int(o.Site) }, func(o *Op, n int) { o.Site = table.Site(n) }).
		within(0, table.Columns*4-1)
	fSite2 = at("site", func(o *Op) int { return int(o.Site2) }, func(o *Op, n int) { o.Site2 = table.Site(n) }).
		within(0, table.Columns*4-1)
	fPlace = at("place", func(o *Op) int { return int(o.Place) }, func(o *Op, n int) {
		o.Place = table.Place(n)
	}).byName(table.Places, func(i int) string { return table.Place(i).Name() })
	fRegion  = fPlace.within(0, table.RegionsN-1)
	fRegion2 = at("place", func(o *Op) int { return int(o.Place2) }, func(o *Op, n int) {
		o.Place2 = table.Place(n)
	}).byName(table.RegionsN, func(i int) string { return table.Place(i).Name() })
	fLand = at("region", func(o *Op) int { return int(o.Land) }, func(o *Op, n int) { o.Land = table.Land(n) }).
		byName(int(table.LandOf(table.Resources, 0)), func(i int) string { return table.Land(i).Name() })
	fColumn = at("column", func(o *Op) int { return int(o.Column) }, func(o *Op, n int) { o.Column = int8(n) }).
		within(0, table.Columns-1)
	fGap     = fColumn.within(0, table.Columns-2)
	fEventAt = at("at", func(o *Op) int { return int(o.At) }, func(o *Op, n int) { o.At = int8(n) }).
			within(0, table.MaxDeck-1)
	fLandAt = fEventAt.within(0, len(State{}.Lands)-1)
	fSeen   = at("seen", func(o *Op) int { return int(o.Seen) }, func(o *Op, n int) { o.Seen = Seen(n) }).
		within(0, math.MaxUint8)
	fRes = at("resource", func(o *Op) int { return int(o.Res) }, func(o *Op, n int) { o.Res = table.Res(n) }).
		oneOf(table.ResNames[:])
	fFace = at("face", func(o *Op) int { return int(o.Face) }, func(o *Op, n int) { o.Face = table.Face(n) }).
		oneOf(table.FaceNames[:])
	fPhase = at("phase", func(o *Op) int { return int(o.Phase) }, func(o *Op, n int) { o.Phase = Phase(n) }).
		oneOf(phaseNames[:])
	fToken = at("token", func(o *Op) int { return int(o.Token) }, func(o *Op, n int) { o.Token = Token(n) }).
		within(int(HeroToken), int(TradeToken))
	fAsk = at("ask", func(o *Op) int { return int(o.Ask) }, func(o *Op, n int) { o.Ask = AskKind(n) }).
		oneOf(AskNames[:])
)

// num and num2 are an outcome's numbers, by their meaning in it.
func num(name string) *field {
	return at(name, func(o *Op) int { return int(o.N) }, func(o *Op, n int) { o.N = int16(n) }).
		within(math.MinInt16, math.MaxInt16)
}

func num2(name string) *field {
	return at(name, func(o *Op) int { return int(o.M) }, func(o *Op, n int) { o.M = int16(n) }).
		within(math.MinInt16, math.MaxInt16)
}

// opWords maps words to outcomes.
var opWords = func() codec.Meanings[OpCode] {
	m := map[string]OpCode{}
	for code := range OpCodes {
		row := &Outcomes[code]
		if code > 0 {
			m[row.word] = code
		}
		row.rest = row.fields
		whose := len(row.fields) > 0 && (row.fields[0] == fSeat || row.fields[0] == fAnybody)
		if whose {
			row.rest = row.rest[1:]
		}
		for i := range row.heads {
			head := `["` + row.word + `"`
			if whose {
				head += "," + strconv.Itoa(i-1)
			}
			row.heads[i] = codec.WordOf(head)
		}
	}
	return codec.MeaningsOf(m)
}()

func (o *Op) append(dst []byte) []byte {
	row := &Outcomes[o.Code]
	dst = row.heads[o.Seat+1].Append(dst)
	for _, f := range row.rest {
		switch n := f.get(o); {
		case f.words != nil:
			dst = f.words[n].Append(dst)
		default:
			dst = codec.AppendNumber(append(dst, ','), int64(n))
		}
	}
	return append(dst, ']')
}

// read reads what append wrote; missing fields are zero.
func (o *Op) read(r *codec.Reader) {
	r.Must("[")
	code, ok := opWords.Of(r.Quoted())
	if !ok {
		r.Fail()
		return
	}
	o.Code = code
	for _, f := range Outcomes[code].fields {
		if !r.More(',', true) {
			break
		}
		n := 0
		if f.words == nil {
			n = int(r.Digits())
		} else if n, ok = f.named.Of(r.Quoted()); !ok {
			r.Fail()
		}
		if !f.has(n) {
			r.Fail()
			return
		}
		f.set(o, n)
	}
	r.Must("]")
}

// has reports whether a field may have that number.
func (f *field) has(n int) bool { return n >= f.least && n <= f.most || f == fTo && n == int(ToOpen) }

// MarshalJSON writes an outcome as an array.
func (o Op) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote; missing fields are zero.
func (o *Op) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	if len(parts) == 0 {
		return fmt.Errorf("outcome: empty")
	}
	var word string
	if err := json.Unmarshal(parts[0], &word); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	code, ok := opWords.Of([]byte(word))
	if !ok {
		return fmt.Errorf("outcome: no word %q", word)
	}
	*o = Op{Code: code}
	for i, f := range Outcomes[code].fields {
		if i+1 == len(parts) {
			break
		}
		n, err := f.read(parts[i+1])
		if err != nil {
			return fmt.Errorf("outcome %s: %s: %w", word, f.name, err)
		}
		f.set(o, n)
	}
	return nil
}

// read returns the number written for a field.
func (f *field) read(raw json.RawMessage) (n int, err error) {
	if f.words == nil {
		err = json.Unmarshal(raw, &n)
	} else {
		var word string
		if err = json.Unmarshal(raw, &word); err == nil {
			var ok bool
			if n, ok = f.named.Of([]byte(word)); !ok {
				return 0, fmt.Errorf("%w: no %q", ErrOdd, word)
			}
		}
	}
	if err == nil && !f.has(n) {
		return 0, fmt.Errorf("%w: %s", ErrOdd, raw)
	}
	return n, err
}
