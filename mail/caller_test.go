package mail_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/hook"
)

// posted is a server that takes what is posted, or says why it will not.
type posted struct {
	got  []hook.Message
	says func(hook.Message) error
}

func (p *posted) Post(_ context.Context, m hook.Message) error {
	if p.says != nil {
		if err := p.says(m); err != nil {
			return err
		}
	}
	p.got = append(p.got, m)
	return nil
}

// types returns the types of what was posted, in order.
func (p *posted) types(t *testing.T) (out []string) {
	t.Helper()
	for _, m := range p.got {
		var b struct{ Type string }
		require.NoError(t, json.Unmarshal(m.Body, &b))
		out = append(out, b.Type)
	}
	return out
}

// hooked is a house where somebody has a webhook.
type hooked struct {
	*house
	caller *mail.Caller
	server *posted
	clock  time.Time
}

func newHooked(t *testing.T) *hooked {
	h := &hooked{clock: noon, server: &posted{}}
	h.house = open(t, func() time.Time { return h.clock })
	h.wire()
	return h
}

func (h *hooked) wire() {
	h.notifier.Hooks = h.people.Hooks
	h.caller = &mail.Caller{Outbox: h.outbox, Composer: h.composer, Hooks: h.people, Client: h.server, Now: h.now,
		Alarm: func(err error) { require.NoError(h.T, err) }}
}

func (h *hooked) hook(id domain.PersonID, kinds ...string) people.Hook {
	h.T.Helper()
	made, err := h.people.MakeHook(h.Ctx, id, "https://example.org/"+string(id[:4]), kinds)
	require.NoError(h.T, err)
	return made
}

func (h *hooked) flush() {
	h.T.Helper()
	h.notify()
	require.NoError(h.T, h.caller.Flush(h.Ctx))
}

func (h *hooked) state(w people.Hook) mail.HookState {
	h.T.Helper()
	f, err := h.outbox.HookState(h.Ctx, w.Ref)
	require.NoError(h.T, err)
	return f
}

func TestWhatIsAskedOfSomebodyIsPostedToTheirWebhook(t *testing.T) {
	h := newHooked(t)
	ana, bo := h.curious("Ana", "pl"), h.curious("Bo", "en")
	w := h.hook(bo, h.people.PostedKinds...)
	h.hook(bo, "over")
	table := h.started("tiny", `{"roller":"B","hands":[17,23]}`, ana, bo)
	h.flush()
	types := h.server.types(t)
	require.ElementsMatch(t, []string{"turn", "news"}, types, "the invitation was answered meanwhile")
	var turn hook.Message
	for i, m := range h.server.got {
		require.Equal(t, w.Secret, m.Secret)
		require.Equal(t, w.Address, m.Address)
		require.NotContains(t, string(m.Body), "@example.org")
		if types[i] == "turn" {
			turn = m
		}
	}
	look := h.Sees(table)
	var body struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			Table, Link, Game, Title, Text, Line string
			Decision                             domain.Open
		}
	}
	require.NoError(t, json.Unmarshal(turn.Body, &body))
	require.Equal(t, "turn", body.Type)
	require.Equal(t, noon, body.Timestamp)
	require.Equal(t, table.String(), body.Data.Table)
	require.Equal(t, "https://games.example.org/t/"+table.String(), body.Data.Link)
	require.Equal(t, look.LineName.String(), body.Data.Line)
	require.Equal(t, domain.Seat(1), body.Data.Decision.Seat)
	require.Contains(t, body.Data.Text, "Your turn")
	require.NotRegexp(t, `\b(17|23)\b`, body.Data.Text, "no hand, not even its own")

	before := len(h.server.got)
	h.flush()
	require.Len(t, h.server.got, before, "each once")
	require.Equal(t, noon, h.state(w).Done.UTC())
}

func TestAWebhookThatFailsIsTriedAgainAndLosesNothing(t *testing.T) {
	h := newHooked(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	w := h.hook(ana, "turn")
	down := true
	var ids []string
	h.server.says = func(m hook.Message) error {
		ids = append(ids, m.ID)
		if down {
			return &hook.Refused{Status: 503}
		}
		return nil
	}
	h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
	other := h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
	h.flush()
	require.Len(t, ids, 1, "one tries for all")
	f := h.state(w)
	require.Equal(t, "503", f.Why)
	require.Equal(t, noon, f.Failing.UTC())
	require.Equal(t, 2, f.Waiting)

	h.reopen() // the program is killed and starts again
	h.wire()
	h.flush()
	require.Len(t, ids, 1, "not before its time")
	h.clock = h.clock.Add(5 * time.Second)
	h.flush()
	require.Len(t, ids, 2)
	h.clock = h.clock.Add(5 * time.Second)
	h.flush()
	require.Len(t, ids, 2, "the pauses grow")
	h.play(other, 0, "keep")
	h.notify()
	down, h.clock = false, h.clock.Add(time.Hour)
	h.flush()
	require.Equal(t, []string{ids[0], ids[0], ids[0]}, ids[:3], "the same id at every try")
	require.Len(t, h.server.got, 1+len(ids)-3)
	require.Zero(t, h.state(w).Failing)
	require.Zero(t, h.state(w).Waiting)
	for _, m := range h.server.got[1:] {
		require.NotContains(t, string(m.Body), `"kind":"choose"`, "what was played meanwhile is not told")
	}
}

// Whoever gives addresses must not learn which names of the network behind this machine there are.
func TestAWebhookTellsNoPrivateNameFromNone(t *testing.T) {
	why := func(address string) string {
		h := newHooked(t)
		ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
		w := h.hook(ana, "turn")
		h.server.says = func(m hook.Message) error {
			m.Address = address
			return hook.New().Post(h.Ctx, m)
		}
		h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
		h.flush()
		return h.state(w).Why
	}
	private := why("https://localhost/")
	require.Equal(t, "private", private)
	require.Equal(t, private, why("https://nothing.invalid/"))
}

func TestAWebhookThatTakesNothingForDaysIsGivenUp(t *testing.T) {
	h := newHooked(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	w := h.hook(ana, "turn")
	h.server.says = func(hook.Message) error { return errors.New("dial tcp 10.0.0.1:443: connection refused") }
	h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
	for range 20 {
		h.flush()
		h.clock = h.clock.Add(12 * time.Hour)
	}
	f := h.state(w)
	require.Zero(t, f.Waiting, "given up after three days")
	now, err := h.people.Hook(h.Ctx, w.Ref)
	require.NoError(t, err)
	require.True(t, now.Off.IsZero())

	h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
	h.flush()
	now, err = h.people.Hook(h.Ctx, w.Ref)
	require.NoError(t, err)
	require.False(t, now.Off.IsZero(), "nothing was taken for more than five days")
	require.Equal(t, "connection", now.Why, "what is near this machine is not told")

	h.server.says = nil
	require.NoError(t, h.people.RetryHook(h.Ctx, ana, w.Ref))
	require.NoError(t, h.outbox.Test(h.Ctx, now))
	h.flush()
	require.Equal(t, []string{"test"}, h.server.types(t))
}

func TestAWebhookThatIsGoneIsGivenUpAtOnce(t *testing.T) {
	h := newHooked(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	w := h.hook(ana, "turn")
	h.server.says = func(hook.Message) error { return &hook.Refused{Status: 410} }
	h.started("tiny", `{"roller":"A","hands":[1,2]}`, ana, bo)
	h.flush()
	now, err := h.people.Hook(h.Ctx, w.Ref)
	require.NoError(t, err)
	require.Equal(t, "410", now.Why)
	require.False(t, now.Off.IsZero())
	require.Zero(t, h.state(w).Waiting)
}

func TestWhatWaitsForAWebhookIsBounded(t *testing.T) {
	h := newHooked(t)
	ana := h.person("Ana", "en")
	w := h.hook(ana, "turn")
	for range 60 {
		require.NoError(t, h.outbox.Test(h.Ctx, w))
		h.clock = h.clock.Add(time.Second)
	}
	require.Equal(t, 50, h.state(w).Waiting)
	require.NoError(t, h.people.RemoveHook(h.Ctx, ana, w.Ref))
	h.flush()
	require.Empty(t, h.server.got, "nothing is posted once it is removed")
	require.Zero(t, h.state(w).Waiting)
}

func TestACallTellsNothingThatItsReaderMayNotKnow(t *testing.T) {
	h := newHooked(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "pl")
	at := func(hands string, moves ...string) (out []string) {
		table := h.started("tiny", `{"roller":"A","hands":`+hands+`}`, ana, bo)
		for i, m := range moves {
			h.play(table, domain.Seat(1-i%2), m)
		}
		h.proposeEnd(bo, table)
		notices, err := h.notifier.Wanted(h.Ctx, table)
		require.NoError(t, err)
		for _, n := range notices {
			if n.Person == ana {
				body, err := h.composer.ComposeCall(h.Ctx, mail.Call{Notice: n, Made: noon})
				require.NoError(t, err)
				out = append(out, constants(body))
			}
		}
		news := mail.Notice{Kind: mail.KindNews, Person: ana, Table: table, Stream: table,
			Open: domain.Open{Since: h.Sees(table).Table.Version}}
		body, err := h.composer.ComposeCall(h.Ctx, mail.Call{Notice: news, Made: noon})
		require.NoError(t, err)
		return append(out, constants(body))
	}
	require.NotEmpty(t, at(`[3,9]`))
	require.Equal(t, at(`[3,9]`), at(`[3,12]`))
	require.Equal(t, at(`[3,9]`, "keep", "keep"), at(`[3,12]`, "keep", "keep"))
	require.Equal(t, at(`[3,9]`, "peek A"), at(`[3,23]`, "peek A"))
	require.Equal(t, at(`[3,9]`, "keep", "peek B"), at(`[3,12]`, "keep", "peek B"), "not even what Ana has peeked at")
}
