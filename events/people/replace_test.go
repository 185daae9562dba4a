package people_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
	"posthorn/events/people"
)

// Given a copy of what another server knows, when it replaces what this one knows, then this one knows that and
// nothing else, including what it had cached; and something that is not a copy changes nothing.
func TestACopyTakesThePlaceOfWhatIsKnown(t *testing.T) {
	theirs, mine := open(t), open(t)
	ana, bo := theirs.confirmed("ana@example.org").ID, mine.confirmed("bo@example.org").ID
	require.NoError(t, theirs.SetName(ctx, ana, "Ana"))
	token, _, err := theirs.MakeToken(ctx, ana, people.NewToken{Label: "x", Scope: people.ScopePlay, Days: 9})
	require.NoError(t, err)
	session, err := mine.OpenSession(ctx, bo, "a browser", time.Hour)
	require.NoError(t, err)
	_, err = mine.Session(ctx, session.Text())
	require.NoError(t, err)
	copied := func() string {
		path := filepath.Join(t.TempDir(), "people.db")
		require.NoError(t, database.Copy(ctx, theirs.path, path))
		return path
	}
	for _, name := range []string{"Ana", "Anna"} {
		require.NoError(t, theirs.SetName(ctx, ana, name))
		require.NoError(t, mine.Replace(ctx, copied()))
		p, err := mine.Person(ctx, ana)
		require.NoError(t, err)
		require.Equal(t, name, p.Name)
	}
	_, err = mine.Person(ctx, bo)
	require.ErrorIs(t, err, people.ErrNobody)
	_, err = mine.Session(ctx, session.Text())
	require.ErrorIs(t, err, people.ErrSession)
	_, err = mine.Token(ctx, token)
	require.NoError(t, err)

	broken := filepath.Join(t.TempDir(), "people.db")
	require.NoError(t, os.WriteFile(broken, []byte("this is no database, whatever it is called"), 0o600))
	require.Error(t, mine.Replace(ctx, broken))
	p, err := mine.Person(ctx, ana)
	require.NoError(t, err)
	require.Equal(t, "Anna", p.Name)
	require.NoError(t, mine.Forget(ctx, ana), "and it is written to as before")
	require.NoError(t, mine.Replace(ctx, copied()))
}
