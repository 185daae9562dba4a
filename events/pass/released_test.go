package pass

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// Links stay in mailboxes for years, and a mail composed again has the same ids: so what a released program made of
// facts must never change.
func TestPassesAndIDsOfReleasedProgramsStayAsTheyAre(t *testing.T) {
	const who = domain.PersonID("00112233445566778899aabbccddeeff")
	stream := events.Name{1, 2, 3}
	m := New(keys(t, 1))
	for _, c := range []struct {
		facts    Facts
		pass, id string
	}{
		{turn(),
			"HxcAESIzRFVmd4iZqrvM3e7_AwECAwAAAAAAAAAAAAAAAABHZGlzY2FyZAkIBwYFBAMCuWApGo-stafz8RMq8wxWNCgLpw",
			"pw7w6plll66fzafszmpnrw6p4gumlmrn"},
		{Facts{Purpose: View, Person: who, Stream: stream, Epoch: 1 << 20},
			"HyMAESIzRFVmd4iZqrvM3e7_gIBAAQIDAAAAAAAAAAAAAAAAAN3xnVFRrOrKtOzc6y1GxxM",
			"oqtaixudx7bplt4y7y6e4twlsl4qrw37"},
		{Facts{Purpose: Answer, Person: who, Stream: stream, Seat: 1, Kind: "consent", Since: 9, At: Mark{1}},
			"HzcAESIzRFVmd4iZqrvM3e7_AAECAwAAAAAAAAAAAAAAAAAnY29uc2VudAEAAAAAAAAACQAr7aDtDFDvtVOoz1qvs9EO",
			"q5papdrko5gxjtbyqnur5na3lkt7pe75"},
		{Facts{Purpose: Unsubscribe, Person: who, Kind: "turn"},
			"H0UAESIzRFVmd4iZqrvM3e7_AAR0dXJuAAAAAAAAAAAAAM4tcDhrD7BhGClKGI90l40", "pvcpyuysqdgxd5f2n3zgmdhqvnrcgbkq"},
		{Facts{Purpose: SignIn, Person: who, Expires: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)},
			"H1kAESIzRFVmd4iZqrvM3e7_AAHJeTlze1fdY5pY1Uxidlq2QKQZ", "7fpsen7hrf7jipuh7hvjv5tqjluv37lz"},
		{Facts{Purpose: Join, Stream: stream, Seat: 1, Kind: KindClaim, Serial: 2},
			"H2YBAgMAAAAAAAAAAAAAAAAAJWNsYWltAAAAAAAAAAAAAhQTjqrJVC1QHfUnjgBlvSM", "eniyaqj5wkmuu6iu27cqckw3ohjuwuf2"},
		{Facts{Purpose: Join, Stream: stream, Seat: 7},
			"H2YBAgMAAAAAAAAAAAAAAAAA4AAAAAAAAAAAAACrIU3dEPTkPuyUHRI69Exz", "ygjar5hzhzw4mlptbybcny7xh66onpuq"},
	} {
		token, err := m.Make(c.facts)
		require.NoError(t, err)
		require.Equal(t, c.pass, token.Text())
		id, err := m.MessageID(c.facts, "turn", "games.example.org")
		require.NoError(t, err)
		require.Equal(t, "<t."+c.id+"@games.example.org>", id)
	}
	require.Equal(t, "<g.ih7yqb7kdeofh27qzdyluwsetlqxqgb6@games.example.org>",
		m.ThreadID(stream, who, "games.example.org"))
}
