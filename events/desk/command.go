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
type Judge func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error)

// wants judges a command that is the event that it wants.
func wants(e domain.TableEvent) Judge {
	return func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		return r.Decide(ctx, by, e)
	}
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
	return Row{fmt.Sprintf("join %d %s", c.Seat, c.Chance),
		wants(&domain.Joined{Seat: c.Seat, Contribution: domain.Contribution{Bytes: c.Chance}})}
}

// Decline says no to a seat, gives one up before the start, or takes an invitation back.
type Decline struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Row returns its wish and its judge.
func (c Decline) Row() Row {
	return Row{fmt.Sprintf("decline %d %s", c.Seat, c.Person),
		wants(&domain.Declined{Seat: c.Seat, Person: c.Person})}
}

// Invite asks somebody to take a seat.
type Invite struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Row returns its wish and its judge.
func (c Invite) Row() Row {
	return Row{fmt.Sprintf("invite %d %s", c.Seat, c.Person),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			return r.Decide(ctx, by, &domain.Invited{Seat: c.Seat, Person: c.Person,
				Until: domain.InvitedUntil(r.desk.now())})
		}}
}

// Fill gives an empty seat to a stand-in, or opens it again if none is named.
type Fill struct {
	Seat    domain.Seat
	StandIn string
}

// Row returns its wish and its judge.
func (c Fill) Row() Row {
	place := domain.TablePlace{Kind: domain.SeatOpen}
	if c.StandIn != "" {
		place = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: c.StandIn}
	}
	return Row{fmt.Sprintf("fill %d %s", c.Seat, c.StandIn), wants(&domain.Placed{Seat: c.Seat, Place: place})}
}

// Abandon gives up a table that has not started.
type Abandon struct{}

// Row returns its wish and its judge.
func (Abandon) Row() Row {
	return Row{"abandon", wants(&domain.Ended{Reason: domain.EndAbandoned})}
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
		wants(&domain.Proposed{Proposal: domain.Proposal{Kind: domain.ProposeRewind, To: c.To, Fresh: c.Fresh,
			Reason: c.Text}})}
}

// Undo takes back the caller's own last step, made after version To of the main line.
type Undo struct{ To uint64 }

// Row returns its wish and its judge.
func (c Undo) Row() Row {
	return Row{fmt.Sprintf("undo %d", c.To), wants(&domain.Undone{Rewound: &domain.Rewound{Fork: c.To}})}
}

// ProposeEnd asks the table to stop the game as it stands.
type ProposeEnd struct{ Written }

// Row returns its wish and its judge.
func (c ProposeEnd) Row() Row {
	return Row{c.wish("end"),
		wants(&domain.Proposed{Proposal: domain.Proposal{Kind: domain.ProposeEnd, Reason: c.Text}})}
}

// Agree consents to the proposal made at a version of the table.
type Agree struct{ Since uint64 }

// Row returns its wish and its judge.
func (c Agree) Row() Row {
	return Row{fmt.Sprintf("agree %d", c.Since), mayPause(&domain.Agreed{Since: c.Since})}
}

// Refuse rejects the proposal made at a version of the table, or withdraws the caller's own.
type Refuse struct{ Since uint64 }

// Row returns its wish and its judge.
func (c Refuse) Row() Row {
	return Row{fmt.Sprintf("refuse %d", c.Since), wants(&domain.Dismissed{Since: c.Since})}
}

// Resign gives up a seat for good: a stand-in plays on, or the seat's other holders do.
type Resign struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c Resign) Row() Row {
	return Row{fmt.Sprintf("resign %d", c.Seat),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			if places := r.Table.Places; c.Seat >= 0 && int(c.Seat) < len(places) && places[c.Seat].Team() {
				return r.Decide(ctx, by, &domain.Left{Seat: c.Seat})
			}
			return r.Decide(ctx, by, &domain.Resigned{Seat: c.Seat})
		}}
}

// Say writes a line of chat.
type Say struct{ Written }

// Row returns its wish and its judge.
func (c Say) Row() Row {
	return Row{c.wish("say"), wants(&domain.Said{Text: c.Text})}
}

// Claim takes back the seat of somebody who held it at another server.
type Claim struct {
	Seat domain.Seat
	Was  domain.PersonID
}

// Row returns its wish and its judge.
func (c Claim) Row() Row {
	return Row{"claim " + c.Seat.Letter(), wants(&domain.Claimed{Seat: c.Seat, Was: c.Was})}
}

// HandOver closes the table here: it goes on at the server with that public key.
type HandOver struct{ To string }

// Row returns its wish and its judge.
func (c HandOver) Row() Row {
	return Row{"handover " + c.To, wants(&domain.HandedOver{To: c.To})}
}

// Conclude notes the end of a table that was handed over from here, as its finished record gives it.
type Conclude struct {
	End  domain.Ended
	Hash events.Hash // of the final event at the other server
}

// Row returns its wish and its judge.
func (c Conclude) Row() Row {
	return Row{"ended elsewhere " + c.Hash.String(), wants((*domain.EndedElsewhere)(&c.End))}
}

// Leave gives up a seat because its person is to be forgotten: a [Resign] or a [Decline].
type Leave struct{ Command }

// Row returns its wish and its judge.
func (c Leave) Row() Row { return Row{"leave", c.Command.Row().Judge} }
