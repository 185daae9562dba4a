package record

import "slices"

// Open is why not everything could be checked: docs/format.md, section 14, has the words.
type Open string

// The reasons. Only OpenReceipts says that something may have been altered that could have been checked with more
// receipts; only OpenUnknown, that a newer program could check more.
const (
	OpenLuck      Open = "luck"      // the seed or a secret is not open
	OpenReceipts  Open = "receipts"  // the last events, or a former server's, have no receipt
	OpenUnknown   Open = "unknown"   // a game, an edition or a type of event that this program does not know
	OpenElsewhere Open = "elsewhere" // another table wrote it
	OpenClock     Open = "clock"     // a clock went back, or a time was altered
)

// oneMore adds a reason that is not there yet.
func oneMore(all []Open, why Open) []Open {
	if slices.Contains(all, why) {
		return all
	}
	return append(all, why)
}

// Says returns a reason in words.
func (o Open) Says() string {
	return map[Open]string{
		OpenLuck:      "luck and moves, whose secrets are not open",
		OpenReceipts:  "events for which there is no receipt",
		OpenUnknown:   "what a newer program wrote, or a game that is not known here",
		OpenElsewhere: "what another table wrote",
		OpenClock:     "times before which a clock was set back",
	}[o]
}
