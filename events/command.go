package events

import (
	"context"
	"fmt"

	"posthorn/domain"
)

// Command is something somebody wants done at a table, as a value. A door makes one from its input; the desk judges
// it, whichever door it came through.
type Command interface {
	// Wish returns the command in canonical words: the same id with another wish is refused. Free text is in
	// it as a digest under the key that it is encrypted with, since another one would outlive that key.
	Wish() string
	// Decide judges the command of a person, or of the house, for a table as it stands. It returns the event, or a
	// *domain.Refusal.
	Decide(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error)
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

// Wish returns the command in words.
func (c Join) Wish() string { return fmt.Sprintf("join %d %s", c.Seat, c.Chance) }

// Decide judges it.
func (c Join) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Join(by, c.Seat, c.Chance)
}

// Decline says no to a seat, gives one up before the start, or takes an invitation back.
type Decline struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Wish returns the command in words.
func (c Decline) Wish() string { return fmt.Sprintf("decline %d %s", c.Seat, c.Person) }

// Decide judges it.
func (c Decline) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Decline(by, c.Seat, c.Person)
}

// Invite asks somebody to take a seat.
type Invite struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Wish returns the command in words.
func (c Invite) Wish() string { return fmt.Sprintf("invite %d %s", c.Seat, c.Person) }

// Decide judges it.
func (c Invite) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	e, err := r.Table.Invite(by, c.Seat, c.Person)
	if invited, ok := e.(*domain.Invited); ok && err == nil {
		invited.Until = domain.InvitedUntil(r.desk.now())
	}
	return e, err
}

// Fill gives an empty seat to a stand-in, or opens it again if none is named.
type Fill struct {
	Seat    domain.Seat
	StandIn string
}

// Wish returns the command in words.
func (c Fill) Wish() string { return fmt.Sprintf("fill %d %s", c.Seat, c.StandIn) }

// Decide judges it.
func (c Fill) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	place := domain.TablePlace{Kind: domain.SeatOpen}
	if c.StandIn != "" {
		place = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: c.StandIn}
	}
	return r.Table.Fill(by, c.Seat, place)
}

// Abandon gives up a table that has not started.
type Abandon struct{}

// Wish returns the command in words.
func (Abandon) Wish() string { return "abandon" }

// Decide judges it.
func (Abandon) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Abandon(by)
}

// ProposeRewind asks the table to go on from an earlier version of its main line.
type ProposeRewind struct {
	To    uint64
	Fresh bool // with fresh luck instead of the same luck again
	Written
}

// Wish returns the command in words.
func (c ProposeRewind) Wish() string { return c.wish(fmt.Sprintf("rewind %d %t", c.To, c.Fresh)) }

// Decide judges it.
func (c ProposeRewind) Decide(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	played, err := r.Played(ctx, c.To)
	if err != nil {
		return nil, err
	}
	return r.Table.ProposeRewind(by, c.To, c.Fresh, c.Text, played, r.NextLine())
}

// Undo takes back the caller's own last step, made after version To of the main line.
type Undo struct{ To uint64 }

// Wish returns the command in words.
func (c Undo) Wish() string { return fmt.Sprintf("undo %d", c.To) }

// Decide judges it.
func (c Undo) Decide(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	played, err := r.Played(ctx, c.To)
	if err != nil {
		return nil, err
	}
	return r.Table.Undo(by, c.To, played, r.NextLine(), r.desk.now())
}

// ProposeEnd asks the table to stop the game as it stands.
type ProposeEnd struct{ Written }

// Wish returns the command in words.
func (c ProposeEnd) Wish() string { return c.wish("end") }

// Decide judges it.
func (c ProposeEnd) Decide(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	played, err := r.Played(ctx, 0)
	if err != nil {
		return nil, err
	}
	return r.Table.ProposeEnd(by, c.Text, played)
}

// Agree consents to the proposal made at a version of the table.
type Agree struct{ Since uint64 }

// Wish returns the command in words.
func (c Agree) Wish() string { return fmt.Sprintf("agree %d", c.Since) }

// Decide judges it.
func (c Agree) Decide(ctx context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
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
}

// Refuse rejects the proposal made at a version of the table, or withdraws the caller's own.
type Refuse struct{ Since uint64 }

// Wish returns the command in words.
func (c Refuse) Wish() string { return fmt.Sprintf("refuse %d", c.Since) }

// Decide judges it.
func (c Refuse) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Dismiss(by, c.Since)
}

// Resign gives up a seat for good: a stand-in plays on, or the seat's other holders do.
type Resign struct{ Seat domain.Seat }

// Wish returns the command in words.
func (c Resign) Wish() string { return fmt.Sprintf("resign %d", c.Seat) }

// Decide judges it.
func (c Resign) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	if places := r.Table.Places; c.Seat >= 0 && int(c.Seat) < len(places) && places[c.Seat].Team() {
		return r.Table.LeaveTeam(by, c.Seat)
	}
	return r.Table.Resign(by, c.Seat)
}

// Say writes a line of chat.
type Say struct{ Written }

// Wish returns the command in words.
func (c Say) Wish() string { return c.wish("say") }

// Decide judges it.
func (c Say) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Chat(by, c.Text)
}

// Claim takes back the seat of somebody who held it at another server.
type Claim struct {
	Seat domain.Seat
	Was  domain.PersonID
}

// Wish returns the command in words.
func (c Claim) Wish() string { return "claim " + c.Seat.Letter() }

// Decide judges it.
func (c Claim) Decide(_ context.Context, by domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Claim(by, c.Seat, c.Was)
}

// HandOver closes the table here: it goes on at the server with that public key.
type HandOver struct{ To string }

// Wish returns the command in words.
func (c HandOver) Wish() string { return "handover " + c.To }

// Decide judges it.
func (c HandOver) Decide(_ context.Context, _ domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.HandOver(c.To)
}

// Conclude notes the end of a table that was handed over from here, as its finished record gives it.
type Conclude struct {
	End  domain.Ended
	Hash Hash // of the final event at the other server
}

// Wish returns the command in words.
func (c Conclude) Wish() string { return "ended elsewhere " + c.Hash.String() }

// Decide judges it.
func (c Conclude) Decide(_ context.Context, _ domain.PersonID, r Room) (domain.TableEvent, error) {
	return r.Table.Conclude(c.End)
}

// Leave gives up a seat because its person is to be forgotten: a [Resign] or a [Decline].
type Leave struct{ Command }

// Wish returns the command in words.
func (Leave) Wish() string { return "leave" }
