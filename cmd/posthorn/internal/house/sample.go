package house

import (
	"context"
	"crypto/rand"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// SamplePlayer plays the sample game; their mails arrive in the built-in mailbox.
const SamplePlayer = "you@example.org"

// SampleGame starts a game against a stand-in, if the house is new.
func SampleGame(ctx context.Context, h *House) error {
	last, err := h.Log.Last(ctx)
	if err != nil || last > 0 {
		return err
	}
	a, err := people.ParseAddress(SamplePlayer)
	if err != nil {
		return err
	}
	you, err := h.People.MakeHost(ctx, a)
	if err != nil {
		return err
	}
	if err := h.People.SetName(ctx, you.ID, "Robin"); err != nil {
		return err
	}
	actor := events.Actor{Person: you.ID, Door: domain.DoorHost}
	ans, err := h.Desk.Open(ctx, actor, events.NewCommandID(),
		desk.NewTable{Rulebook: "carcassonne", Pace: "weekly", Listed: true, Places: []domain.TablePlace{
			{Kind: domain.SeatPlayer, Invited: []domain.PersonID{you.ID}},
			{Kind: domain.SeatStandIn, StandIn: "steady"}}})
	if err != nil {
		return err
	}
	chance := make([]byte, domain.MinContribution)
	_, _ = rand.Read(chance)
	_, err = h.Desk.Do(ctx, actor, ans.Table, events.NewCommandID(), desk.Join{Seat: 0, Chance: chance})
	return err
}
