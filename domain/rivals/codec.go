package rivals

import (
	"encoding/json"
	"fmt"
	"strconv"

	"posthorn/domain"
)

// Rooms of secret parts, in bytes. A deal's holds the names of all cards there are; a move's, all
// cards of a stack that somebody looks through, or the stack of events shuffled anew.
const (
	dealtRoom  = 4096
	playedRoom = 1024
)

// Codec lists every event type ever released.
func (Rulebook) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		{Name: dealtType, Body: func() any { return &Dealt{} }, Secret: func() any { return &Cards{} }, Room: dealtRoom},
		{Name: playedType, Body: func() any { return &Played{} }, Secret: func() any { return &Hidden{} }, Room: playedRoom},
	}}
}

// An outcome is written as an array: its word, then its numbers; cards, places and regions by
// name. argKind says how a number is written.
type argKind uint8

const (
	argEnd argKind = iota
	argInt
	argCard
	argPlace
	argLand
	argRes
	argFace
	argPhase
	argAsk
)

type opSpec struct {
	word string
	args [4]argKind
}

// opSpecs are the outcomes' words. A released word stays.
var opSpecs = [opCodes]opSpec{
	opHidden:   {"hidden", [4]argKind{argInt}},
	opTurn:     {"turn", [4]argKind{argInt, argInt}},
	opPhase:    {"phase", [4]argKind{argInt, argPhase}},
	opDice:     {"dice", [4]argKind{argInt, argInt, argFace}},
	opGain:     {"gain", [4]argKind{argInt, argPlace, argInt, argRes}},
	opPay:      {"pay", [4]argKind{argInt, argPlace, argInt, argRes}},
	opDraw:     {"draw", [4]argKind{argInt, argInt}},
	opUnder:    {"under", [4]argKind{argInt, argCard, argInt, argInt}},
	opUse:      {"use", [4]argKind{argInt, argCard}},
	opBuild:    {"build", [4]argKind{argInt, argCard, argInt}},
	opOpen:     {"open", [4]argKind{argInt, argCard, argInt}},
	opRaze:     {"raze", [4]argKind{argInt, argCard, argInt, argInt}},
	opCache:    {"cache", [4]argKind{argInt, argCard, argPlace}},
	opRoad:     {"road", [4]argKind{argInt, argInt}},
	opSettle:   {"settle", [4]argKind{argInt, argInt}},
	opCity:     {"city", [4]argKind{argInt, argInt}},
	opLand:     {"land", [4]argKind{argInt, argLand, argPlace}},
	opLandAt:   {"land-at", [4]argKind{argInt, argLand, argInt}},
	opSwapReg:  {"swap-regions", [4]argKind{argInt, argPlace, argPlace}},
	opSwapCrd:  {"swap-cards", [4]argKind{argInt, argInt, argInt}},
	opSteal:    {"steal", [4]argKind{argInt, argCard}},
	opFetch:    {"fetch", [4]argKind{argInt, argCard}},
	opTake:     {"take", [4]argKind{argInt, argCard, argInt}},
	opSeeDeck:  {"look", [4]argKind{argInt, argInt}},
	opSeeHand:  {"look-hand", [4]argKind{argInt}},
	opDrawEvt:  {"event", [4]argKind{argInt, argCard}},
	opEvtDone:  {"event-done", [4]argKind{}},
	opEventAt:  {"event-at", [4]argKind{argInt, argCard, argInt}},
	opEventN:   {"events", [4]argKind{argInt, argInt}},
	opMint:     {"mint", [4]argKind{argInt}},
	opRemoval:  {"removal", [4]argKind{argInt}},
	opShow:     {"show", [4]argKind{argInt, argCard}},
	opAsk:      {"ask", [4]argKind{argInt, argAsk, argInt, argInt}},
	opOver:     {"over", [4]argKind{argInt}},
	opDrew:     {"drew", [4]argKind{argInt, argCard}},
	opSaw:      {"saw", [4]argKind{argInt, argCard, argInt}},
	opLaid:     {"laid", [4]argKind{argInt, argInt}},
	opRoll:     {"guard", [4]argKind{argInt, argInt, argInt}},
	opLose:     {"brigands", [4]argKind{argInt, argInt}},
	opWant:     {"want", [4]argKind{argInt, argRes, argInt}},
	opSawLand:  {"saw-land", [4]argKind{argInt, argLand}},
	opShowLand: {"show-land", [4]argKind{argInt, argLand}},
	opTook:     {"took", [4]argKind{argInt, argInt}},
	opGone:     {"gone", [4]argKind{argInt, argCard}},
	opWard:     {"ward", [4]argKind{argInt, argCard}},
	opToken:    {"token", [4]argKind{argInt, argInt, argInt, argInt}},
	opScore:    {"score", [4]argKind{argInt, argInt, argInt}},
}

var opWords = func() map[string]opCode {
	m := map[string]opCode{}
	for code, spec := range opSpecs {
		if spec.word != "" {
			m[spec.word] = opCode(code)
		}
	}
	return m
}()

// opHeads are how each outcome begins, and opLens how many numbers follow.
var opHeads, opLens = func() (heads [opCodes]string, lens [opCodes]int) {
	for code, spec := range opSpecs {
		heads[code] = `["` + spec.word + `"`
		for lens[code] < len(spec.args) && spec.args[lens[code]] != argEnd {
			lens[code]++
		}
	}
	return heads, lens
}()

func (o Op) append(dst []byte) []byte {
	dst = append(dst, opHeads[o.Code]...)
	args, kinds := [4]int16{int16(o.A), o.B, o.C, o.D}, &opSpecs[o.Code].args
	for i := range opLens[o.Code] {
		switch n := args[i]; {
		case kinds[i] != argInt:
			dst = append(dst, quoted[kinds[i]][n]...)
		case uint16(n) < 10:
			dst = append(dst, ',', '0'+byte(n))
		case n >= 0:
			dst = appendSmall(append(dst, ','), uint64(n))
		default:
			dst = strconv.AppendInt(append(dst, ','), int64(n), 10)
		}
	}
	return append(dst, ']')
}

// quoted are the words of each kind of number as they are written, with the comma before them.
var quoted = func() (q [argAsk + 1][]string) {
	for kind, n := range map[argKind]int{argCard: len(printings), argPlace: places, argLand: 1 << 6, argRes: len(resNames),
		argFace: len(faceNames), argPhase: len(phaseNames), argAsk: len(askNames)} {
		for i := range n {
			q[kind] = append(q[kind], `,"`+wordOf(kind, int16(i))+`"`)
		}
	}
	return q
}()

func wordOf(kind argKind, n int16) string {
	switch kind {
	case argCard:
		return Card(n).Name()
	case argPlace:
		return Place(n).Name()
	case argLand:
		if Land(n).terrain() >= resources {
			return "?"
		}
		return Land(n).Name()
	case argRes:
		return resNames[n]
	case argFace:
		return faceNames[n]
	case argPhase:
		return phaseNames[n]
	case argAsk:
		return askNames[n]
	}
	return ""
}

func valueOf(kind argKind, word string) (int16, error) {
	switch kind {
	case argCard:
		if c, ok := cardNamed[word]; ok || word == "?" {
			return int16(c), nil
		}
	case argPlace:
		if p, ok := placeNamed(word); ok {
			return int16(p), nil
		}
	case argLand:
		if l, ok := landNamed(word); ok || word == "?" {
			return int16(l), nil
		}
	case argRes:
		if r, ok := resNamed(word); ok {
			return int16(r), nil
		}
	case argFace:
		return int16(index(faceNames[:], word)), nil
	case argPhase:
		return int16(index(phaseNames[:], word)), nil
	case argAsk:
		return int16(index(askNames[:], word)), nil
	}
	return 0, fmt.Errorf("no %q", word)
}

// MarshalJSON writes an outcome as an array.
func (o Op) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
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
	code, ok := opWords[word]
	if !ok {
		return fmt.Errorf("outcome: no word %q", word)
	}
	*o = Op{Code: code}
	var first int16
	args := [4]*int16{&first, &o.B, &o.C, &o.D}
	for i, kind := range opSpecs[code].args {
		if kind == argEnd || i+1 >= len(parts) {
			break
		}
		if err := readArg(kind, parts[i+1], args[i]); err != nil {
			return fmt.Errorf("outcome %s: %w", word, err)
		}
	}
	if o.A = int8(first); int16(o.A) != first {
		return fmt.Errorf("outcome %s: %d is too much", word, first)
	}
	return nil
}

func readArg(kind argKind, raw json.RawMessage, to *int16) error {
	if kind == argInt {
		return json.Unmarshal(raw, to)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := valueOf(kind, text)
	*to = n
	return err
}

func appendOps(dst []byte, ops []Op) []byte {
	dst = append(dst, '[')
	for i, o := range ops {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = o.append(dst)
	}
	return append(dst, ']')
}

// AppendJSON writes what UnmarshalJSON reads.
func (p *Played) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"ops":`...)
	dst = appendOps(dst, p.Ops)
	if p.Queued {
		dst = append(dst, `,"tasks":[`...)
		for i := range p.Tasks {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = p.Tasks[i].append(dst)
		}
		dst = append(dst, ']')
	}
	if p.Serial != 0 || p.NextID != 0 {
		dst = append(dst, `,"count":[`...)
		dst = appendSmall(dst, uint64(p.Serial))
		dst = append(dst, ',')
		dst = appendSmall(dst, uint64(p.NextID))
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// MarshalJSON is AppendJSON.
func (p *Played) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// UnmarshalJSON reads what AppendJSON wrote.
func (p *Played) UnmarshalJSON(b []byte) error {
	var w struct {
		Ops   []Op        `json:"ops"`
		Tasks *[]TaskView `json:"tasks"`
		Count [2]uint16   `json:"count"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("played: %w", err)
	}
	*p = Played{Ops: w.Ops, Serial: w.Count[0], NextID: w.Count[1]}
	if w.Tasks != nil {
		p.Queued = true
		for i := range *w.Tasks {
			p.Tasks = append(p.Tasks, readTask(&(*w.Tasks)[i]))
		}
	}
	return nil
}

// append writes a task as encoding/json writes its TaskView.
func (t *Task) append(dst []byte) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(append(dst, taskNames[t.Kind]...), '"')
	if t.Seat >= 0 {
		dst = append(dst, `,"seat":"`...)
		dst = append(dst, 'A'+byte(t.Seat), '"')
	}
	dst = appendField(dst, "n", uint64(t.N))
	if t.Res != 0 {
		dst = append(dst, `,"goods":[`...)
		for res := range Res(resources) {
			if t.Res.has(res) {
				dst = append(append(append(dst, '"'), resNames[res]...), '"', ',')
			}
		}
		dst[len(dst)-1] = ']'
	}
	if t.Need != (Goods{}) {
		dst = append(dst, `,"need":[`...)
		for _, n := range t.Need {
			dst = append(appendSmall(dst, uint64(n)), ',')
		}
		dst[len(dst)-1] = ']'
	}
	if t.Card != NoCard {
		dst = append(dst, `,"card":"`...)
		dst = append(append(dst, t.Card.Name()...), '"')
	}
	dst = appendField(dst, "site", uint64(t.Site))
	if t.Arg != 0 {
		dst = strconv.AppendInt(append(dst, `,"arg":`...), int64(t.Arg), 10)
	}
	dst = appendField(dst, "mask", t.Mask)
	return append(appendField(dst, "id", uint64(t.ID)), '}')
}

func appendField(dst []byte, name string, n uint64) []byte {
	if n == 0 {
		return dst
	}
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return appendSmall(dst, n)
}

// appendSmall is strconv.AppendUint for numbers that mostly have few digits.
func appendSmall(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, '0'+byte(n))
	case n < 100:
		return append(dst, '0'+byte(n/10), '0'+byte(n%10))
	case n < 1000:
		return append(dst, '0'+byte(n/100), '0'+byte(n/10%10), '0'+byte(n%10))
	case n < 10_000:
		return append(dst, '0'+byte(n/1000), '0'+byte(n/100%10), '0'+byte(n/10%10), '0'+byte(n%10))
	}
	return strconv.AppendUint(dst, n, 10)
}

// AppendJSON writes what UnmarshalJSON reads.
func (h *Hidden) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if h.Move != "" {
		dst = append(dst, `"move":`...)
		dst = append(domain.AppendJSONString(dst, h.Move), ',')
	}
	if h.Told {
		dst = append(dst, `"told":`...)
	} else {
		dst = append(dst, `"ops":`...)
	}
	return append(appendOps(dst, h.Ops), '}')
}

// MarshalJSON refuses: a secret part is written by the codec alone.
func (h *Hidden) MarshalJSON() ([]byte, error) { return nil, domain.ErrSecret }

// UnmarshalJSON reads what AppendJSON wrote.
func (h *Hidden) UnmarshalJSON(b []byte) error {
	var w struct {
		Move string `json:"move"`
		Ops  []Op   `json:"ops"`
		Told []Op   `json:"told"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("hidden: %w", err)
	}
	*h = Hidden{Ops: w.Ops, Move: w.Move}
	if w.Told != nil {
		*h = Hidden{Told: true, Move: w.Move, Ops: w.Told}
	}
	return nil
}

// AppendJSON writes a deal's secret part as encoding/json reads it.
func (c *Cards) AppendJSON(dst []byte) []byte {
	type plain Cards
	b, err := json.Marshal((*plain)(c))
	if err != nil {
		panic("rivals: cards that have no JSON: " + err.Error())
	}
	return append(dst, b...)
}

// MarshalJSON refuses: a secret part is written by the codec alone.
func (c *Cards) MarshalJSON() ([]byte, error) { return nil, domain.ErrSecret }

var (
	_ domain.Appender = (*Cards)(nil)
	_ domain.Appender = (*Played)(nil)
	_ domain.Appender = (*Hidden)(nil)
)
