package inbound_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/mail/inbound"
)

const ana, bo = "ana@example.org", "bo@example.org"

func tinyTable(h *house) events.Name {
	return h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
		h.person("Ana", "en"), h.person("Bo", "pl"))
}

func TestALineOfAMailPlays(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	require.Equal(t, "outcome: played", h.write(to, bo, "1", "keep", "", "say ładnie!", "> a  keep"))
	require.Equal(t, []string{"reply: said ładnie!", "reply: move B keep"}, h.story(table, at))
	require.Equal(t, []string{"Zagrano: zostaw. Twoja wypowiedź jest w rozmowie."}, h.answers(table))

	recs, err := h.Desk.Log().Read(h.Ctx, at, 2)
	require.NoError(t, err)
	var digests []string
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		require.NoError(t, err)
		require.Equal(t, domain.DoorReply, meta.Door)
		require.Regexp(t, `^[0-9a-f]{16}$`, meta.Reply)
		digests = append(digests, meta.Reply)
	}
	require.Equal(t, digests[0], digests[1], "they came in one mail")

	require.Equal(t, "why: again", h.write(to, bo, "1", "keep", "", "say ładnie!", "> a  keep"))
	require.Equal(t, "why: again",
		h.write(strings.ToUpper(to[:strings.Index(to, "@")])+"@Games.Example.org", bo, "1", "swap"))
	require.Len(t, h.story(table, at), 2)
	require.Equal(t, "outcome: stale", h.write(to, bo, "2", "swap"))
	require.Equal(t, "outcome: said", h.write(to, bo, "3", "say still here"),
		"the address takes what is said until the table ends")
	require.Equal(t, []string{"reply: said ładnie!", "reply: move B keep", "reply: said still here"},
		h.story(table, at))
}

// What a button of the page plays at once can be written in one line, too.
func TestALineOfAMailPlaysSeveralMoves(t *testing.T) {
	h := newHouse(t)
	table := h.started(desk.NewTable{
		Rulebook: "rivals", Given: []byte(
			`{"active":"A","phase":"act","seats":[{"hand":["goldsmith","weavers_shop"]},{}]}`)},
		h.person("Ana", "en"), h.person("Bo", "pl"))
	to, at := h.address(table, 0), h.last()
	require.Equal(t, "outcome: played", h.write(to, ana, "1", "End; draw 2; pass."))
	story := h.story(table, at)
	require.Equal(t, []string{"reply: move A end", "reply: move A draw 2", "reply: move A pass"}, story[:3])
}

func TestAMailWithoutAnIDIsKnownByItsBody(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 0)
	send := func(extra, body string) string {
		h.log.Reset()
		require.NoError(t, h.handle(to, ana, []byte("From: ana@example.org\r\n"+extra+"\r\n"+body+"\r\n")))
		return outcome(h.log.String())
	}
	require.Equal(t, "outcome: said", send("Received: by a\r\n", "say hi"))
	require.Equal(t, "why: again", send("Received: by b\r\nReceived: by a\r\n", "say hi"))
	require.Equal(t, "outcome: said", send("", "say hi again"))
}

func TestAnAddressIsGoodForItsPersonAndHistoryAlone(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	local, host, _ := strings.Cut(to, "@")
	end := "a" // a different last character
	if strings.HasSuffix(local, end) {
		end = "b"
	}
	for _, bad := range []string{local[:len(local)-1] + end + "@" + host, local + "a@" + host, "games@" + host,
		"games+@" + host, "post+" + local[6:] + "@" + host, local + "@example.org", "", "@", local} {
		require.False(t, h.door.Takes(bad), bad)
		require.NoError(t, h.handle(bad, bo, written(bo, "1", "keep")))
	}
	require.True(t, h.door.Takes(to))
	require.Equal(t, "outcome: held", h.write(to, "eve@example.org", "2", "keep"))
	require.Equal(t, "outcome: held", h.write(to, ana, "3", "keep"), "whoever else sits there")
	require.Empty(t, h.story(table, at))
	require.Equal(t, []mail.Kind{mail.KindConfirm, mail.KindConfirm}, h.mailed(table), "its person is asked")
	h.door.AnyFrom = true
	require.Equal(t, "outcome: played", h.write(to, "bo@work.example", "4", "keep"))
	h.door.AnyFrom = false

	other := h.address(table, 0)
	id := h.Sees(table).Table.Places[0].Holders[0]
	epoch, err := h.people.PassEpoch(h.Ctx, id)
	require.NoError(t, err)
	require.NoError(t, h.people.WithdrawPasses(h.Ctx, id, epoch+1))
	require.Equal(t, "why: withdrawn", h.write(other, ana, "5", "keep"))
	require.Equal(t, "outcome: played", h.write(h.address(table, 0), ana, "6", "keep"), "the next mail's is good")
}

func TestWhatNoPersonWroteNeitherPlaysNorIsAnswered(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	for name, c := range map[string][2]string{
		"no sender": {"", ""}, "auto-submitted": {bo, "Auto-Submitted: auto-replied\r\n"},
		"autoresponder": {bo, "X-Autoreply: yes\r\n"}, "list": {bo, "List-Id: <x.example.org>\r\n"},
	} {
		h.log.Reset()
		raw := append([]byte(c[1]), written(bo, "1", "keep")...)
		require.NoError(t, h.handle(to, c[0], raw))
		require.Equal(t, "why: "+name, outcome(h.log.String()))
	}
	require.NoError(t, h.handle(to, bo, nil))
	require.Empty(t, h.story(table, at))
	require.Empty(t, h.answers(table))
}

func TestTwoMachinesDoNotWriteToEachOtherForEver(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	for i := range 40 {
		want := "outcome: unread"
		if i >= 5 {
			want = "why: enough"
		}
		text := fmt.Sprintf("I am out of the office, with no header that says so (%d).", i)
		require.Equal(t, want, h.write(to, bo, fmt.Sprint(i), text))
	}
	require.Len(t, h.answers(table), 5)
	require.NotContains(t, h.answers(table)[3], "Przez najbliższą godzinę")
	require.Contains(t, h.answers(table)[4], "Przez najbliższą godzinę", "the last one says that no more come")
	h.now.add(61 * time.Minute)
	require.Equal(t, "outcome: played", h.write(to, bo, "then", "keep"))
	require.Len(t, h.answers(table), 6)
}

func TestAMachineIsKnownByItsSameText(t *testing.T) {
	h := newHouse(t)
	table, other := tinyTable(h), tinyTable(h)
	const away = "I am out of the office, with no header that says so."
	for i, at := range []events.Name{table, other, table} {
		require.Equal(t, "outcome: unread", h.write(h.address(at, 1), bo, fmt.Sprint(i), away))
	}
	require.Equal(t, "why: same again", h.write(h.address(other, 1), bo, "3", away))
	h.now.add(3 * 24 * time.Hour)
	require.Equal(t, "why: same again", h.write(h.address(table, 1), bo, "4", away), "on another day, too")
	for i := range 4 {
		said := h.write(h.address(table, 1), bo, fmt.Sprint(10+i), "say a very long sentence that Bo likes to repeat")
		require.Equal(t, "outcome: said", said)
	}
	require.Equal(t, "outcome: played", h.write(h.address(table, 1), bo, "20", "keep"), "what plays is no machine's")
	h.now.add(5 * 24 * time.Hour)
	require.Equal(t, "outcome: unread", h.write(h.address(other, 1), bo, "21", away))
}

// Five questions of the house, which ask for another mail, do not silence it.
func TestWhoIsAskedOftenGoesOnBeingAsked(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 0)
	for i := range 20 {
		require.Equal(t, "outcome: asked", h.write(to, ana, fmt.Sprint(i), "“keep”"), i)
	}
	require.Contains(t, h.answers(table)[19], "had to ask about many of your replies", "the last one says so")
	require.Equal(t, "why: enough", h.write(to, ana, "20", "“keep”"))
	require.Equal(t, "outcome: played", h.write(to, ana, "21", "keep"))
}

// Attempts that are refused or come too late are a person's: they keep nobody from being told why the next one fails.
func TestAttemptsThatFailAreAllAnswered(t *testing.T) {
	h := newHouse(t)
	table, one, _ := roads(h, "en")
	h.play(table, 0, one)
	h.play(table, 0, "buy")
	now := h.address(table, 0)
	for i := range 6 {
		require.Equal(t, "outcome: refused", h.write(now, ana, fmt.Sprint("back", i), "back"), i)
		require.Equal(t, "outcome: refused", h.write(now, ana, fmt.Sprint("move", i), "bank 4 wool for ore"), i)
	}
	require.Len(t, h.answers(table), 12)
	require.Equal(t, "outcome: unread", h.write(now, ana, "chat", "Good morning"), "none of them counted there")
	for i := range 14 {
		require.Equal(t, "outcome: refused", h.write(now, ana, fmt.Sprint("again", i), "back"), i)
	}
	require.Contains(t, h.answers(table)[26], "sent this reply many times today", "but the same has a bound, a day")
	require.Equal(t, "why: enough", h.write(now, ana, "last", "back"))
	require.Equal(t, "outcome: refused", h.write(now, ana, "other", "bank 4 wool for ore"))

	table, one, _ = roads(h, "en")
	now = h.address(table, 0)
	h.play(table, 0, "end")
	for i := range 6 {
		require.Equal(t, "outcome: stale", h.write(now, ana, fmt.Sprint("late", i), one), "the turn is over")
	}
}

func TestTheLogNeverTellsAnAddressNorAText(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	token := to[6:strings.Index(to, "@")]
	for i, lines := range []string{"keep", "say secret words", "nonsense secret words"} {
		require.NoError(t, h.handle(to, bo, written(bo, string(rune('a'+i)), lines)))
	}
	for _, never := range []string{token, "secret", bo, "bo@", string(h.Sees(table).Table.Places[1].Holders[0])} {
		require.NotContains(t, h.log.String(), never)
	}
}

// The list of reasons in the documentation is the one in the program.
func TestEveryReasonToDropAMailIsWrittenDown(t *testing.T) {
	text, err := os.ReadFile("../../docs/tables/drops.txt")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "\n\n")
	require.True(t, ok)
	var want strings.Builder
	for _, d := range inbound.Drops {
		require.True(t, d.Why.Listed())
		want.WriteString(string(d.Why) + ": " + d.Means + "\n")
	}
	require.Equal(t, want.String(), list)
	require.False(t, inbound.Drop("for no reason").Listed())
}
