package pages

// What a visit does is sorted by subject, so that one sees which pages need what of which others. Each subject is the
// visit itself, with the handlers and helpers of its own files.
type (
	publicPages   struct{ *visit } // the front page, the lobby, the rules
	signInPages   struct{ *visit } // signing in, confirming an address
	openPages     struct{ *visit } // opening a table, taking a seat
	tablePages    struct{ *visit } // the table: its board, moves, talk, standing orders
	consentPages  struct{ *visit } // proposals, absences, deadlines
	linkPages     struct{ *visit } // what the links in mails lead to
	pastPages     struct{ *visit } // history, comparison, story, audit, receipts
	sketchPages   struct{ *visit } // What if
	puzzlePages   struct{ *visit } // making puzzles and solving them
	settingsPages struct{ *visit } // one's own settings, addresses, tokens, webhooks
	hostPages     struct{ *visit } // for those who run the house
)

func (v *visit) public() publicPages   { return publicPages{v} }
func (v *visit) signing() signInPages  { return signInPages{v} }
func (v *visit) opening() openPages    { return openPages{v} }
func (v *visit) play() tablePages      { return tablePages{v} }
func (v *visit) consent() consentPages { return consentPages{v} }
func (v *visit) links() linkPages      { return linkPages{v} }
func (v *visit) past() pastPages       { return pastPages{v} }
func (v *visit) sketches() sketchPages { return sketchPages{v} }
func (v *visit) puzzles() puzzlePages  { return puzzlePages{v} }
func (v *visit) own() settingsPages    { return settingsPages{v} }
func (v *visit) hosting() hostPages    { return hostPages{v} }

// of makes a subject's handler one of a visit.
func of[P ~struct{ *visit }](do func(P) error) func(*visit) error {
	return func(v *visit) error { return do(P{v}) }
}
