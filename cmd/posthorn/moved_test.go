package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/projections/words"
)

func TestAnAddressThatWasLeftIsToldInEachLanguage(t *testing.T) {
	l := lives(t, livingSettings(t.TempDir()))
	for i, lang := range words.Languages {
		require.NoError(t, mail.Post{Outbox: l.outbox}.Moved(l.ctx, "old@example.org", "ne…@example.net", lang))
		require.Eventually(t, func() bool { return len(l.mailbox.Messages()) == i+1 }, patient, 5*time.Millisecond)
		m := l.mailbox.Messages()[0]
		if last := l.mailbox.Messages()[i]; last.ID > m.ID {
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
