package record

import (
	"bytes"
	"encoding/json"

	"posthorn/domain"
)

// viewer checks that what is open in the record is what its reader may know, no more and no less: nobody signs for whom
// it says that it was written.
func (v *verifier) viewer() {
	h := &v.f.Header
	if v.f.log || v.f.opened || v.partly() {
		return
	}
	who, known := v.reader()
	mustAt(known, h.Table, 1, "it is not what its reader may know: nobody reads as %q", h.Viewer)
	if h.Handover || v.table.Revealed { // nothing of it is open, or everything: see sealed and closed
		return
	}
	for i, e := range v.each() {
		for n, p := range e.Parts {
			own := v.streams[e.Stream].Table == h.Table
			v.must(!own || (p.Text != nil) == p.To.Admits(who), i, "it is not what its reader may know: secret part %d",
				n)
		}
	}
}

// reader returns for whom the header says that the record was written.
func (v *verifier) reader() (who domain.Viewer, known bool) {
	h := &v.f.Header
	if h.Handover || h.Viewer == handoverViewer {
		return domain.Spectator, h.Handover && h.Viewer == handoverViewer
	}
	for who := domain.Referee; int(who) < len(v.table.Places); who++ {
		if viewerName(who) == h.Viewer {
			return who, true
		}
	}
	return domain.Spectator, false
}

// setting is where the set-ups of the games have their options.
type setting struct {
	Body struct {
		View struct {
			Options json.RawMessage `json:"options"`
		} `json:"view"`
		Choices json.RawMessage `json:"choices"`
		Options json.RawMessage `json:"options"`
		Play    json.RawMessage `json:"play"`
	} `json:"body"`
}

// branchOptions checks that a branch has the options of the game that it goes on from, whose set-up is in its record:
// that one is compared with what the branch's options give.
func (v *verifier) branchOptions(rb domain.Rulebook) {
	b := v.table.Branch
	if b == nil || len(v.lines) == 0 {
		return
	}
	i, ok := v.find(v.lines[0].name, 1)
	if !ok || v.unknown[i] {
		return
	}
	then, played, err := v.decode(rb, i)
	if err != nil || !played { // its set-up hides something from this reader
		return
	}
	now, _, err := domain.NewLine(rb, domain.NewThrowaway(0)).
		Setup(domain.Game{Choices: v.table.Choices, Seats: len(v.table.Places), First: domain.Nobody})
	opening, _ := v.tableEvent(1)
	v.must(err == nil && bytes.Equal(settings(rb, &then), settings(rb, &now)), opening,
		"the options are others than those of the game that it goes on from")
}

// settings returns the options in a set-up, as this program writes them.
func settings(rb domain.Rulebook, e *domain.Event) []byte {
	var s setting
	public, _, err := rb.Codec().Encode(e)
	if err == nil {
		err = json.Unmarshal(public, &s)
	}
	if err != nil {
		return nil
	}
	return bytes.Join([][]byte{s.Body.View.Options, s.Body.Choices, s.Body.Options, s.Body.Play}, []byte{'\n'})
}
