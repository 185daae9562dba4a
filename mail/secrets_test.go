package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/mail"
)

// constants returns a mail with its random parts replaced, and quoted-printable unfolded so that URLs are in one piece.
func constants(raw []byte) string {
	s := strings.ReplaceAll(strings.ReplaceAll(string(raw), "=\r\n", ""), "games%2B", "games+")
	for i, re := range constant {
		s = re.ReplaceAllString(s, fmt.Sprintf("<%d>", i))
	}
	return s
}

func TestAMailTellsNothingThatItsReaderMayNotKnow(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	at := func(hands string, moves ...string) map[string]mail.Message {
		table := h.started("tiny", `{"roller":"A","hands":`+hands+`}`, ana, bo)
		out := map[string]mail.Message{"first to Ana": h.compose(table, mail.KindTurn, ana)}
		for i, m := range moves {
			h.play(table, domain.Seat(1-i%2), m)
		}
		out["then to Ana"] = h.compose(table, mail.KindTurn, ana)
		h.proposeEnd(bo, table)
		out["consent to Ana"] = h.compose(table, mail.KindConsent, ana)
		return out
	}
	same := func(a, b map[string]mail.Message) {
		t.Helper()
		for name := range a {
			require.Len(t, b[name].Raw, len(a[name].Raw), name)
			require.Equal(t, constants(a[name].Raw), constants(b[name].Raw), name)
		}
	}
	same(at(`[3,9]`), at(`[3,12]`))
	same(at(`[3,9]`, "keep", "keep"), at(`[3,12]`, "keep", "keep"))
	same(at(`[3,9]`, "peek A"), at(`[3,23]`, "peek A"))
	known, other := at(`[3,9]`, "keep", "peek B"), at(`[3,12]`, "keep", "peek B")
	require.NotEqual(t, constants(known["then to Ana"].Raw), constants(other["then to Ana"].Raw),
		"what Ana has peeked at she is told")
}

func TestEachRecipientSeesTheirOwnViewAlone(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A","hands":[17,23]}`, ana, bo)
	a, b := parts(t, h.compose(table, mail.KindTurn, ana)), parts(t, h.compose(table, mail.KindTurn, bo))
	require.Contains(t, a.Text, "A [17]")
	require.NotRegexp(t, `\b23\b`, constants([]byte(a.Text+plain(t, a.HTML))))
	require.Contains(t, b.Text, "B [23]")
	require.NotRegexp(t, `\b17\b`, constants([]byte(b.Text+plain(t, b.HTML))))
	for _, p := range []mail.Parts{a, b} {
		require.NotRegexp(t, `[a-z]@example\.org`, p.Text+p.HTML, "nobody's address is in a letter")
	}
}
