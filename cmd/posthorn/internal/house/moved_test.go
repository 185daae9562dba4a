package house_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/mail"
	"posthorn/projections/words"
)

func TestAnAddressThatWasLeftIsToldInEachLanguage(t *testing.T) {
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	for i, lang := range words.Languages {
		require.NoError(t, mail.Post{Outbox: l.Outbox}.Moved(l.Ctx, "old@example.org", "ne…@example.net", lang))
		require.Eventually(t, func() bool { return len(l.Mailbox.Messages()) == i+1 }, posthorntest.Patient,
			5*time.Millisecond)
		m := l.Mailbox.Messages()[0]
		if last := l.Mailbox.Messages()[i]; last.ID > m.ID {
			m = last
		}
		require.Equal(t, "old@example.org", m.To)
		parts, err := m.Read()
		require.NoError(t, err)
		for _, body := range []string{parts.Text, parts.HTML} {
			require.Contains(t, body, "ne…@example.net")
			require.NotContains(t, body, "/sign-in/", "it signs nobody in")
		}
	}
}
