package pages

import (
	"errors"
	"strconv"

	"posthorn/events"
	"posthorn/events/desk"
)

// receiptsPage is where people check receipts that they kept against the record.
type receiptsPage struct {
	Asked  bool // a text was given
	Found  []receiptFound
	Broken int // incomplete pieces
	Key    string
}

// receiptFound is a receipt found in a text, and the result of checking it.
type receiptFound struct {
	Says   string // a key of words: fits, rewritten, stayed, cut-off, elsewhere, stranger
	Fits   bool
	What   string // the line of play, or the table
	Number uint64
	Href   string // address of the event in the record; "" if it is not there
	Hash   string
}

// mostReceipts is how many receipts in a text are checked at once.
const mostReceipts = 50

// receipts shows the form.
func (v pastPages) receipts() error { return v.showReceipts(receiptsPage{}) }

// checkReceipts finds the receipts in a text, however a mail program wrapped or quoted them, and says for each whether
// the record agrees.
func (v pastPages) checkReceipts() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	page := receiptsPage{Asked: true}
	lines, broken := events.FindReceipts(v.FormValue("text"))
	page.Broken = broken
	for _, line := range lines[:min(len(lines), mostReceipts)] {
		found, err := v.receipt(look, line)
		if err != nil {
			return err
		}
		page.Found = append(page.Found, found)
	}
	return v.showReceipts(page)
}

func (v pastPages) showReceipts(page receiptsPage) error {
	m, err := v.Model()
	if err != nil {
		return err
	}
	return v.render("receipts", sheet{Title: m.Title, Body: page})
}

// receipt checks one receipt.
func (v pastPages) receipt(look desk.Look, line string) (out receiptFound, err error) {
	r, err := v.Desk.CheckReceipt(v.Ctx(), look, line)
	switch {
	case err == nil:
		out.Says, out.Fits = "fits", true
	case errors.Is(err, events.ErrReceipt):
		return receiptFound{Says: "stranger"}, nil
	case errors.Is(err, desk.ErrElsewhere):
		out.Says = "elsewhere"
	case errors.Is(err, desk.ErrCutOff):
		out.Says = "cut-off"
	case errors.Is(err, desk.ErrRewritten):
		out.Says = "rewritten"
	case errors.Is(err, desk.ErrStayed):
		out.Says = "stayed"
	default:
		return out, err
	}
	out.Number, out.Hash = r.Version, r.Hash.String()
	if r.Table != look.Name {
		return out, nil
	}
	of := ""
	if r.Stream == look.Name {
		out.What, of = v.T("page.audit.table"), "table"
	}
	for _, l := range look.Table.Lines {
		if l.Name == r.Stream.String() {
			of = strconv.Itoa(l.Index)
			out.What = v.T("page.audit.line", "n", l.Index+1)
		}
	}
	if of != "" && out.Says != "cut-off" && out.Says != "stayed" {
		n := strconv.FormatUint(r.Version, 10)
		out.Href = v.Home() + "/audit?of=" + of + "&to=" + n + "#e" + n
	}
	return out, nil
}
