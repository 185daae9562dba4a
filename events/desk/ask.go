package desk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// AskKind is what an ask wants of somebody.
type AskKind string

// The kinds of ask. The last three are also the kind of the ask's decision, which no rulebook has.
const (
	AskTurn       AskKind = "turn"       // a decision of play
	AskConsent    AskKind = "consent"    // an answer to the open proposal
	AskInvitation AskKind = "invitation" // to take a seat
	AskOver       AskKind = "over"       // to see how the game ended
)

// Ask is something a table asks of one person. Mails, lists, pages, links and the API all start from the asks to tell
// people what awaits them. Nothing stores an ask except views, which are rebuilt from asks.
type Ask struct {
	Kind   AskKind
	Person domain.PersonID
	Table  events.Name
	Stream events.Name // where it came up: a line for a decision of play, else the table
	Open   domain.Open // the decision, its seat, and the version of Stream that brought it up
	Due    time.Time   // the deadline; zero while the table has no clock
	// Again is the version at which the decision came back to its seat: others had been asked meanwhile (see
	// [domain.Line.Again]). It is 0 if it has not. Of a seat's decisions only the first has it. An invitation comes
	// back to the person who is the last one missing (see [domain.Table.LastMissing]).
	Again uint64
}

// Asked returns the version since which the person is asked: when the decision came up, or came back to them.
func (a Ask) Asked() uint64 { return max(a.Open.Since, a.Again) }

// Beside reports whether the other is a decision of the same seat, asked of the same person since the same event: they
// choose from the moves of both at once.
func (a Ask) Beside(other Ask) bool {
	return a.Kind == AskTurn && other.Kind == AskTurn && a.Person == other.Person && a.Stream == other.Stream &&
		a.Open.Seat == other.Open.Seat && a.Asked() == other.Asked()
}

// Asks lists what a table asks of people as it stands: decisions of play in the rulebook's order, then consent, by
// seat; or else the invitations, or the end to be seen. It depends on the fold alone.
func (l Look) Asks() []Ask {
	switch t := l.Table; {
	case t.Status == domain.TableOpen:
		return l.invitations()
	case l.plays():
		return slices.Concat(l.turns(), l.consents(), l.offers())
	case t.Status == domain.TableEnded && t.Over > 0 && t.End != domain.EndAbandoned && len(t.Lines) > 0:
		return l.overs()
	}
	return nil
}

// plays reports whether decisions of play can be taken.
func (l Look) plays() bool {
	return l.Table.Status == domain.TableStarted && l.Table.Due == "" && l.Line != nil
}

func (l Look) invitations() []Ask {
	var out []Ask
	last, since, _ := l.Table.LastMissing()
	for i, p := range l.Table.Places {
		for _, id := range p.Invited {
			a := l.atTable(AskInvitation, id, domain.Seat(i), l.Table.AskedSince(domain.Seat(i), id))
			if id == last && since > a.Open.Since {
				a.Again = since
			}
			out = append(out, a)
		}
	}
	return out
}

func (l Look) turns() []Ask {
	var out []Ask
	for i, o := range l.Line.Awaited() {
		if p := l.Table.Places[o.Seat]; p.Humans() && !l.TakenOver(o) {
			again := uint64(0)
			if !slices.ContainsFunc(l.Line.Awaited()[:i], func(e domain.Open) bool { return e.Seat == o.Seat }) {
				again = l.Line.Again(o.Seat)
			}
			for _, id := range p.Holders {
				out = append(out, Ask{Kind: AskTurn, Person: id, Table: l.Name, Stream: l.LineName, Open: o,
					Due: l.Deadline(o), Again: again})
			}
		}
	}
	return out
}

// offers asks those who may take a seat over.
func (l Look) offers() (out []Ask) {
	for i, p := range l.Table.Places {
		if p.Offer != nil {
			out = append(out, l.atTable(AskInvitation, p.Offer.Person, domain.Seat(i), p.Offer.Since))
		}
	}
	return out
}

// consents asks everybody who has not agreed yet, unless a move has overtaken the proposal.
func (l Look) consents() []Ask {
	p := l.Table.Proposal
	if p == nil || l.Table.Overtaken(l.Line.Version) {
		return nil
	}
	var out []Ask
	for _, id := range l.Table.People() {
		if !p.Agreed[id] {
			a := l.atTable(AskConsent, id, l.Table.SeatsOf(id)[0], p.Since)
			a.Due = l.ProposalDeadline()
			out = append(out, a)
		}
	}
	return out
}

func (l Look) overs() []Ask {
	var out []Ask
	for _, id := range l.Table.Everybody() {
		out = append(out, l.atTable(AskOver, id, l.Table.SeatsOf(id)[0], l.Table.Over))
	}
	return out
}

func (l Look) atTable(kind AskKind, id domain.PersonID, seat domain.Seat, since uint64) Ask {
	return Ask{Kind: kind, Person: id, Table: l.Name, Stream: l.Name,
		Open: domain.Open{Decision: domain.Decision{Seat: seat, Kind: string(kind)}, Since: since}}
}

// Stale is why something is no longer asked.
type Stale string

// The reasons. StillAsked means it is still asked.
const (
	StillAsked    Stale = ""
	StalePlayed   Stale = "played"   // the decision was taken, or now belongs to another seat
	StaleAnswered Stale = "answered" // the person has answered
	StaleLapsed   Stale = "lapsed"   // the proposal is gone, or a move has overtaken it
	StaleRewound  Stale = "rewound"  // play goes on along another line
	StaleBegan    Stale = "began"    // the table has started, or was given up
	StaleEnded    Stale = "ended"    // the game is over
	StaleMoved    Stale = "moved"    // the game goes on at another server
)

// Stale tells why an earlier ask of this table no longer stands, or that it still does.
func (l Look) Stale(a Ask) Stale {
	if slices.ContainsFunc(l.Asks(), a.same) {
		return StillAsked
	}
	t := l.Table
	_, moved := t.GoesOn()
	switch {
	case moved:
		return StaleMoved
	case a.Kind == AskInvitation && t.Status != domain.TableOpen:
		return StaleBegan
	case a.Kind == AskInvitation:
		return StaleAnswered
	case t.Status == domain.TableEnded || t.Due != "" || l.Line != nil && l.Line.Over():
		return StaleEnded
	case a.Kind == AskConsent && t.Proposal != nil && t.Proposal.Since == a.Open.Since && t.Proposal.Agreed[a.Person]:
		return StaleAnswered
	case a.Kind == AskConsent:
		return StaleLapsed
	case a.Stream != l.LineName || l.Line == nil:
		return StaleRewound
	}
	return StalePlayed
}

// Stale is [Look.Stale], but looks further where the table has gone back since: a turn played before the version the
// table went back to counts as played; only what came after it is gone.
func (d *Desk) Stale(ctx context.Context, look Look, a Ask) (Stale, error) {
	why := look.Stale(a)
	if why != StaleRewound || look.LineName.IsZero() {
		return why, nil
	}
	fork, ok := look.leftAt(a.Stream)
	if !ok || a.Open.Since > fork {
		return why, nil
	}
	then, err := d.LineAt(ctx, look, a.Stream, fork)
	if err != nil {
		return why, fmt.Errorf("where the game went back to: %w", err)
	}
	for _, o := range then.Awaited() {
		if o.Seat == a.Open.Seat && o.Since == a.Open.Since {
			return why, nil // it was not played before, or was undone
		}
	}
	return StalePlayed, nil
}

// leftAt returns the version at which the main line, or one of its ancestors, left another line of the table. ok is
// false if the main line does not come from that line.
func (l Look) leftAt(from events.Name) (fork uint64, ok bool) {
	for name := l.LineName.String(); ; {
		i := slices.IndexFunc(l.Table.Lines, func(t domain.TableLine) bool { return t.Name == name })
		if i < 0 || l.Table.Lines[i].Parent == "" {
			return 0, false
		}
		if fork == 0 {
			fork = l.Table.Lines[i].Fork
		}
		fork = min(fork, l.Table.Lines[i].Fork)
		if name = l.Table.Lines[i].Parent; name == from.String() {
			return fork, true
		}
	}
}

// Again returns the version at which an ask that still stands came back to its person; 0 if it has not, or no longer
// stands.
func (l Look) Again(a Ask) uint64 {
	for _, now := range l.Asks() {
		if now.same(a) {
			return now.Again
		}
	}
	return 0
}

// same compares asks but ignores their deadlines, which may move, and that a decision came back. An invitation stays
// the same however often it is sent.
func (a Ask) same(b Ask) bool {
	a.Due, b.Due = time.Time{}, time.Time{}
	a.Again, b.Again = 0, 0
	if a.Kind == AskInvitation {
		a.Open.Since, b.Open.Since = 0, 0
	}
	return a == b
}

// Asks is what a table asks of people, without the decisions that a standing order is about to take: nobody is told
// of those.
func (d *Desk) Asks(ctx context.Context, look Look) ([]Ask, error) {
	all := look.Asks()
	out := all[:0]
	for _, a := range all {
		if a.Kind == AskTurn {
			ordered, err := d.Obeys(ctx, look, a.Open)
			if err != nil {
				return nil, err
			}
			if ordered {
				continue
			}
		}
		out = append(out, a)
	}
	return out, nil
}
