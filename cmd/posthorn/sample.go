package main

import (
	"context"
	"crypto/rand"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// samplePlayer is who plays the sample game; their mails arrive in the built-in mailbox.
const samplePlayer = "you@example.org"

// sampleGame opens a game against a stand-in, if the house is new.
func sampleGame(ctx context.Context, h *house) error {
	last, err := h.log.Last(ctx)
	if err != nil || last > 0 {
		return err
	}
	a, err := people.ParseAddress(samplePlayer)
	if err != nil {
		return err
	}
	you, err := h.people.MakeHost(ctx, a)
	if err != nil {
		return err
	}
	if err := h.people.SetName(ctx, you.ID, "Robin"); err != nil {
		return err
	}
	actor := events.Actor{Person: you.ID, Door: events.DoorHost}
	ans, err := h.desk.Open(ctx, actor, events.NewCommandID(), events.NewTable{Rulebook: "carcassonne", Pace: "weekly", Listed: true, Places: []domain.TablePlace{
		{Kind: domain.SeatPlayer, Invited: []domain.PersonID{you.ID}}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
	if err != nil {
		return err
	}
	chance := make([]byte, domain.MinContribution)
	_, _ = rand.Read(chance)
	_, err = h.desk.Do(ctx, actor, ans.Table, events.NewCommandID(), events.Join{Seat: 0, Chance: chance})
	return err
}
