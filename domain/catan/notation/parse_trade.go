package notation

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// bank reads "wool ore", and "3 wool 1 ore" from whoever says how many: Give then has them.
func (r *reader) bank() (state.Move, error) {
	n := int8(0)
	if r.isNumber() {
		var err error
		if n, err = r.number(); err != nil {
			return state.Move{}, err
		}
		if n < 2 || n > 4 {
			return state.Move{}, domain.Refuse("bank-rate-none", "n", int(n))
		}
		r.skip(wordsFrom)
	}
	a, err := r.resource()
	if err != nil {
		return state.Move{}, err
	}
	r.skip(wordsFor)
	if r.isNumber() { // one, of whatever comes for it
		if n, err := r.number(); err != nil || n != 1 {
			return state.Move{}, domain.Refuse("bank-one")
		}
	}
	b, err := r.resource()
	m := state.MoveAt(state.KindBank, int8(a), int8(b))
	m.Give[a] = n
	return m, err
}

// swap reads "1 wool for 1 ore".
func (r *reader) swap(m *state.Move) error {
	var err error
	if m.Give, err = r.hand(); err != nil {
		return err
	}
	if !r.skip(wordsFor) {
		return domain.Refuse("for-missing")
	}
	m.Want, err = r.hand()
	return err
}

// offer reads "offer 1 wool for 1 ore [ask] [to …] [ask]".
func (r *reader) offer() (state.Move, error) {
	m := state.NewMove(state.KindOffer)
	if err := r.swap(&m); err != nil {
		return m, err
	}
	m.Ask = r.skip(wordsAsk)
	if !r.skip(wordsTo) {
		return m, nil
	}
	to, err := r.to(!m.Ask)
	m.To, m.Ask = to.seats, m.Ask || to.ask
	return m, err
}
