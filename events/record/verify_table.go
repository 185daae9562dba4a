package record

import (
	"posthorn/domain"
	"posthorn/events"
)

// foldTable folds the table's stream, and checks the seed against the commitment.
func (v *verifier) foldTable() error {
	v.table = &domain.Table{}
	for i := range v.f.Events {
		e := &v.f.Events[i]
		if e.Stream != v.f.Header.Table {
			continue
		}
		rec := e.record()
		te, err := events.DecodeTable(&rec, nil)
		if err != nil {
			return v.fault(i, "%v", err)
		}
		v.table.Apply(te)
		ended, ok := te.(*domain.Ended)
		if !ok {
			continue
		}
		first, ok := v.find(v.f.Header.Table, 1)
		if !ok || len(v.f.Events[first].Parts) != 1 || v.f.Events[first].Parts[0].Text == nil {
			return v.fault(i, "the seed is open, but the commitment at the opening is not")
		}
		if text, _ := ended.Seed.MarshalText(); string(text) != *v.f.Events[first].Parts[0].Text {
			return v.fault(i, "the seed is not the one that was committed to")
		}
	}
	if v.table.Version == 0 {
		return &Fault{Line: 1, What: "the record holds no event of its table"}
	}
	return nil
}
