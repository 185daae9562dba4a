package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
)

// asked returns the pass in the newest letter that asks whether a mail was its reader's.
func (h *house) asked(table events.Name) pass.Facts {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	l := list[len(list)-1]
	require.Equal(h.T, mail.KindConfirm, l.Kind)
	w, err := h.composer.Compose(h.Ctx, l)
	require.NoError(h.T, err)
	p, err := mail.Message{Raw: w.Message}.Read()
	require.NoError(h.T, err)
	_, after, ok := strings.Cut(p.Text, "https://games.example.org/a/")
	require.True(h.T, ok, p.Text)
	f, err := h.passes.Read(strings.Fields(after)[0], h.now.Now())
	require.NoError(h.T, err)
	return f
}

func TestAHeldAnswerIsPlayedOnceItIsConfirmed(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "1", "", "swap")))
	first := h.asked(table)
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "2", "", "keep")), "they think better of it")
	asked := h.asked(table)

	_, ok, err := h.door.Held(h.Ctx, first)
	require.NoError(t, err)
	require.False(t, ok, "one answer a decision waits")
	held, ok, err := h.door.Held(h.Ctx, asked)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []string{"keep"}, held.Lines)
	require.Equal(t, bo, held.From)
	require.True(t, held.Unsigned)
	require.Empty(t, h.story(table, at), "looking at it does nothing")

	said, ok, err := h.door.Confirm(h.Ctx, asked, false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "Zagrano: zostaw.", said[0])
	require.Equal(t, []string{"reply: move B keep"}, h.story(table, at))
	require.Equal(t, []string{"Zagrano: zostaw."}, h.answers(table))
	_, ok, err = h.door.Confirm(h.Ctx, asked, false)
	require.NoError(t, err)
	require.False(t, ok, "it is played once")
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "3", "", "say hi")),
		"the next unsigned one is asked about, too")
}

func TestAnAnswerConfirmedTooLateSaysWhatIsAskedNow(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "1", "", "swap")))
	asked := h.asked(table)
	h.play(table, 1, "keep")
	at := h.last()
	said, ok, err := h.door.Confirm(h.Ctx, asked, false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Contains(t, said, "Tura, na którą odpowiadasz, już minęła, więc nic nie zagrano.")
	require.Empty(t, h.story(table, at))
}

// A relay, an alias or a second address is confirmed once: what signs there is known then, for that person alone.
func TestASecondAddressIsConfirmedOnce(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	from := func(who, by, to, id string) string {
		return h.takes(to, providertest.Sign(h.mailFrom(who, to, id, "", "say "+id), by))
	}
	to := h.address(table, 1)
	require.Equal(t, "outcome: held", from("bo@work.example", "relay.example", to, "1"))
	_, ok, err := h.door.Confirm(h.Ctx, h.asked(table), false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "outcome: said", from("bo@work.example", "relay.example", to, "2"))
	require.Equal(t, "outcome: held", from("bo@work.example", "eve.example", to, "3"), "signed by another domain")
	require.Equal(t, "outcome: held", from("eve@work.example", "relay.example", to, "4"), "from another address")
	require.Equal(t, "outcome: held", from("bo@work.example", "relay.example", h.address(table, 0), "5"),
		"for somebody else")
	person := h.Sees(table).Table.Places[1].Holders[0]
	epoch, err := h.people.PassEpoch(h.Ctx, person)
	require.NoError(t, err)
	require.NoError(t, h.people.WithdrawPasses(h.Ctx, person, epoch+1))
	require.Equal(t, "outcome: held", from("bo@work.example", "relay.example", h.address(table, 1), "6"),
		"who withdraws all links withdraws this, too")
}

func TestAPersonSaysOnceThatTheirProviderSignsNothing(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "1", "", "say one")))
	_, ok, err := h.door.Confirm(h.Ctx, h.asked(table), true)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "outcome: said", h.takes(to, h.mailFrom(bo, to, "2", "", "say two")))
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom("eve@example.org", to, "3", "", "say three")))
	_, _, err = h.door.Confirm(h.Ctx, h.asked(table), true)
	require.NoError(t, err)
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom("eve@example.org", to, "4", "", "say four")),
		"that holds for the known address alone")
}

// Questions have a bound of their own, so that whoever forges many answers keeps nobody from having true ones answered.
func TestNobodyIsAskedForEverWhetherTheyWrote(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	for i := range 20 {
		require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, string(rune('a'+i)), "", "swap")))
	}
	require.Equal(t, "why: enough", h.takes(to, h.mailFrom(bo, to, "x", "", "swap")))
	require.Len(t, h.mailed(table), 20)
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(t, err)
	w, err := h.composer.Compose(h.Ctx, list[19])
	require.NoError(t, err)
	p, err := mail.Message{Raw: w.Message}.Read()
	require.NoError(t, err)
	require.Contains(t, flat(p.Text), "do jutra odpowiedzi na wiadomości o tym stole", "the last question says so")
	require.Equal(t, "outcome: refused", h.write(to, bo, "true", "peek B"), "attempts of their own are answered")
	require.Equal(t, "outcome: played", h.write(to, bo, "truer", "keep"))
}
