package record

import (
	"fmt"

	"posthorn/events"
)

// receipts checks signed receipts against the chain.
func (v *verifier) receipts(lines []string) error {
	for _, line := range lines {
		r, err := events.ReadReceipt(v.f.Header.Key, line)
		if err != nil {
			return &Fault{Line: 1, What: fmt.Sprintf("receipt %.60s…: %v", line, err)}
		}
		i, ok := v.find(r.Stream, r.Version)
		if !ok {
			if r.Table != v.f.Header.Table {
				return &Fault{What: fmt.Sprintf("the receipt of version %d is of another table", r.Version)}
			}
			if v.f.Header.Handover {
				continue // the closing event is not handed over
			}
			return &Fault{Stream: r.Stream, Version: r.Version, What: "there is a receipt of a version that the record does not hold"}
		}
		if v.f.Events[i].Hash != r.Hash {
			return v.fault(i, "there is a receipt of another history")
		}
		v.report.Receipts++
	}
	return nil
}
