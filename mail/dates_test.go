package mail_test

import (
	"io"
	netmail "net/mail"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// dated is what a mail's calendar says of one thing.
type dated struct {
	uid, start string
	sequence   int
	cancelled  bool
}

// entries returns what the calendar of a mail has; nothing if it carries none.
func entries(t *testing.T, raw []byte) (out []dated) {
	t.Helper()
	_, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	require.NoError(t, err)
	e, err := message.Read(strings.NewReader(string(raw)))
	require.NoError(t, err)
	forms := e.MultipartReader()
	first, err := forms.NextPart()
	require.NoError(t, err)
	typ, _, _ := e.Header.ContentType()
	plain, _, _ := first.Header.ContentType()
	require.Equal(t, "multipart/alternative text/plain", typ+" "+plain, "who reads text alone is shown that alone")
	e, err = message.Read(strings.NewReader(string(raw)))
	require.NoError(t, err)
	require.NoError(t, e.Walk(func(_ []int, part *message.Entity, err error) error {
		require.NoError(t, err)
		typ, params, _ := part.Header.ContentType()
		if typ != "text/calendar" {
			return nil
		}
		require.Equal(t, "PUBLISH", params["method"])
		require.Contains(t, part.Header.Get("Content-Disposition"), "attachment",
			"no program shows it instead of the mail")
		body, err := io.ReadAll(part.Body)
		require.NoError(t, err)
		text := strings.ReplaceAll(string(body), "\r\n ", "")
		for _, v := range strings.Split(text, "BEGIN:VEVENT")[1:] {
			is := func(name string) string {
				m := regexp.MustCompile(`\r\n` + name + `:(.*)\r\n`).FindStringSubmatch(v)
				if m == nil {
					return ""
				}
				return m[1]
			}
			n, err := strconv.Atoi(is("SEQUENCE"))
			require.NoError(t, err)
			out = append(out, dated{is("UID"), is("DTSTART"), n, is("STATUS") == "CANCELLED"})
		}
		return nil
	}))
	return out
}

// Given an invitation and the turns of a game that keeps time, then each mail carries an entry for what it asks, until
// when. Later mails replace it under one name, and the one after which nothing is asked cancels it.
func TestAMailsCalendarUpdatesItself(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	n := desk.NewTable{Rulebook: "tiny", Pace: "daily", Clock: domain.ClockOf("daily", domain.TimeOutRemind),
		Given: []byte(`{"roller":"A"}`), Places: invited(ana, bo)}
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), n)
	require.NoError(t, err)
	table := ans.Table
	one := func(kind mail.Kind, to domain.PersonID) dated {
		t.Helper()
		all := entries(t, h.compose(table, kind, to).Raw)
		require.Len(t, all, 1)
		return all[0]
	}
	asked := one(mail.KindInvitation, bo)
	require.Equal(t, "20261205T120000Z", asked.start, "the seat is kept for two weeks")
	c.t = c.t.Add(time.Minute)
	h.join(ana, table)
	h.join(bo, table)
	begun := entries(t, h.compose(table, mail.KindNews, bo).Raw)
	require.Len(t, begun, 2)
	require.Equal(t, dated{asked.uid, "20261121T120100Z", begun[1].sequence, true}, begun[1])
	require.Greater(t, begun[1].sequence, asked.sequence)
	first := one(mail.KindTurn, bo)
	require.Equal(t, dated{begun[0].uid, "20261122T130000Z", first.sequence, false}, first)
	c.t = c.t.Add(time.Hour)
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	for h.awaited(table) != 1 {
		h.playRandom(table, h.awaited(table), 0)
	}
	next := one(mail.KindTurn, bo)
	require.Equal(t, first.uid, next.uid)
	require.Greater(t, next.sequence, first.sequence)
	require.Greater(t, next.start, first.start)
	for i := 0; h.Sees(table).Table.Status == domain.TableStarted; i++ {
		h.playRandom(table, h.awaited(table), i)
		h.Follows(table)
	}
	over := one(mail.KindOver, bo)
	require.Equal(t, first.uid, over.uid)
	require.True(t, over.cancelled)
	free := h.started("tiny", `{"roller":"A"}`, ana, bo)
	require.Empty(t, entries(t, h.compose(free, mail.KindTurn, bo).Raw), "a table that waits for ever has no dates")
}
