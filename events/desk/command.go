package desk

import (
	"context"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// Command is something somebody wants done at a table, as a value. A door makes one from its input; the desk judges
// it, whichever door it came through.
type Command interface{ Row() Row }

// Row is what the desk needs to know of a command.
type Row struct {
	// Wish is the command in canonical words: the same id with another wish is refused. Free text is in it as a digest
	// under the key that it is encrypted with, since another one would outlive that key.
	Wish  string
	Judge Judge
}

// Judge judges the command of a person, or of the house, for a table as it stands. It returns the event, or a
// *domain.Refusal.
type Judge func(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error)

// by0, by1 and by2 judge a command as a method of the table does.
func by0(judge func(*domain.Table, domain.PersonID) (domain.TableEvent, error)) Judge {
	return func(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
		return judge(r.Table, by)
	}
}

func by1[A any](judge func(*domain.Table, domain.PersonID, A) (domain.TableEvent, error), a A) Judge {
	return by0(func(t *domain.Table, by domain.PersonID) (domain.TableEvent, error) { return judge(t, by, a) })
}

func by2[A, B any](judge func(*domain.Table, domain.PersonID, A, B) (domain.TableEvent, error), a A, b B) Judge {
	return by0(func(t *domain.Table, by domain.PersonID) (domain.TableEvent, error) { return judge(t, by, a, b) })
}

// house1 judges a command of the house, which is no person's.
func house1[A any](judge func(*domain.Table, A) (domain.TableEvent, error), a A) Judge {
	return by0(func(t *domain.Table, _ domain.PersonID) (domain.TableEvent, error) { return judge(t, a) })
}

// Written is the free text of a command: encrypted with its writer's key, and a digest of it under that key. The digest
// is part of the command's wish, so that an id that comes again with another text is refused; what is logged of it says
// nothing once the key is forgotten with its person.
type Written struct {
	Text []byte
	Mark []byte // nil if the text cannot come again under its id
}

// wish returns a command in words, with the digest of its text.
func (w Written) wish(command string) string {
	if len(w.Mark) == 0 {
		return command
	}
	return fmt.Sprintf("%s %x", command, w.Mark)
}

// Join takes a seat and contributes randomness: at least domain.MinContribution bytes.
type Join struct {
	Seat   domain.Seat
	Chance []byte
}

// Row returns its wish and its judge.
func (c Join) Row() Row {
	return Row{fmt.Sprintf("join %d %s", c.Seat, c.Chance), by2((*domain.Table).Join, c.Seat, c.Chance)}
}

// Decline says no to a seat, gives one up before the start, or takes an invitation back.
type Decline struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Row returns its wish and its judge.
func (c Decline) Row() Row {
	return Row{fmt.Sprintf("decline %d %s", c.Seat, c.Person), by2((*domain.Table).Decline, c.Seat, c.Person)}
}

// Invite asks somebody to take a seat.
type Invite struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Row returns its wish and its judge.
func (c Invite) Row() Row {
	return Row{fmt.Sprintf("invite %d %s", c.Seat, c.Person),
		func(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			e, err := r.Table.Invite(by, c.Seat, c.Person)
			if invited, ok := e.(*domain.Invited); ok && err == nil {
				invited.Until = domain.InvitedUntil(r.desk.now())
			}
			return e, err
		}}
}

// Fill gives an empty seat to a stand-in, or opens it again if none is named.
type Fill struct {
	Seat    domain.Seat
	StandIn string
}

// Row returns its wish and its judge.
func (c Fill) Row() Row {
	return Row{fmt.Sprintf("fill %d %s", c.Seat, c.StandIn),
		func(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			place := domain.TablePlace{Kind: domain.SeatOpen}
			if c.StandIn != "" {
				place = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: c.StandIn}
			}
			return r.Table.Fill(by, c.Seat, place)
		}}
}

// Abandon gives up a table that has not started.
type Abandon struct{}

// Row returns its wish and its judge.
func (Abandon) Row() Row {
	return Row{"abandon", by0((*domain.Table).Abandon)}
}

// ProposeRewind asks the table to go on from an earlier version of its main line.
type ProposeRewind struct {
	To    uint64
	Fresh bool // with fresh luck instead of the same luck again
	Written
}

// Row returns its wish and its judge.
func (c ProposeRewind) Row() Row {
	return Row{c.wish(fmt.Sprintf("rewind %d %t", c.To, c.Fresh)),
		func(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			played, err := r.Played(ctx, c.To)
			if err != nil {
				return nil, err
			}
			return r.Table.ProposeRewind(by, c.To, c.Fresh, c.Text, played, r.NextLine())
		}}
}

// Undo takes back the caller's own last step, made after version To of the main line.
type Undo struct{ To uint64 }

// Row returns its wish and its judge.
func (c Undo) Row() Row {
	return Row{fmt.Sprintf("undo %d", c.To),
		func(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			played, err := r.Played(ctx, c.To)
			if err != nil {
				return nil, err
			}
			return r.Table.Undo(by, c.To, played, r.NextLine(), r.desk.now())
		}}
}

// ProposeEnd asks the table to stop the game as it stands.
type ProposeEnd struct{ Written }

// Row returns its wish and its judge.
func (c ProposeEnd) Row() Row {
	return Row{c.wish("end"), func(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
		played, err := r.Played(ctx, 0)
		if err != nil {
			return nil, err
		}
		return r.Table.ProposeEnd(by, c.Text, played)
	}}
}

// Agree consents to the proposal made at a version of the table.
type Agree struct{ Since uint64 }

// Row returns its wish and its judge.
func (c Agree) Row() Row {
	return Row{fmt.Sprintf("agree %d", c.Since),
		func(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			to := uint64(0)
			if p := r.Table.Proposal; p != nil {
				to = p.To
			}
			played, err := r.Played(ctx, to)
			if err != nil {
				return nil, err
			}
			e, err := r.Table.Agree(by, c.Since, played, r.NextLine())
			if a, ok := e.(*domain.Agreed); ok && err == nil {
				err = r.pausing(ctx, a.Paused)
			}
			return e, err
		}}
}

// Refuse rejects the proposal made at a version of the table, or withdraws the caller's own.
type Refuse struct{ Since uint64 }

// Row returns its wish and its judge.
func (c Refuse) Row() Row {
	return Row{fmt.Sprintf("refuse %d", c.Since), by1((*domain.Table).Dismiss, c.Since)}
}

// Resign gives up a seat for good: a stand-in plays on, or the seat's other holders do.
type Resign struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c Resign) Row() Row {
	return Row{fmt.Sprintf("resign %d", c.Seat),
		func(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
			if places := r.Table.Places; c.Seat >= 0 && int(c.Seat) < len(places) && places[c.Seat].Team() {
				return r.Table.LeaveTeam(by, c.Seat)
			}
			return r.Table.Resign(by, c.Seat)
		}}
}

// Say writes a line of chat.
type Say struct{ Written }

// Row returns its wish and its judge.
func (c Say) Row() Row {
	return Row{c.wish("say"), by1((*domain.Table).Chat, c.Text)}
}

// Claim takes back the seat of somebody who held it at another server.
type Claim struct {
	Seat domain.Seat
	Was  domain.PersonID
}

// Row returns its wish and its judge.
func (c Claim) Row() Row {
	return Row{"claim " + c.Seat.Letter(), by2((*domain.Table).Claim, c.Seat, c.Was)}
}

// HandOver closes the table here: it goes on at the server with that public key.
type HandOver struct{ To string }

// Row returns its wish and its judge.
func (c HandOver) Row() Row {
	return Row{"handover " + c.To, house1((*domain.Table).HandOver, c.To)}
}

// Conclude notes the end of a table that was handed over from here, as its finished record gives it.
type Conclude struct {
	End  domain.Ended
	Hash events.Hash // of the final event at the other server
}

// Row returns its wish and its judge.
func (c Conclude) Row() Row {
	return Row{"ended elsewhere " + c.Hash.String(), house1((*domain.Table).Conclude, c.End)}
}

// Leave gives up a seat because its person is to be forgotten: a [Resign] or a [Decline].
type Leave struct{ Command }

// Row returns its wish and its judge.
func (c Leave) Row() Row { return Row{"leave", c.Command.Row().Judge} }
