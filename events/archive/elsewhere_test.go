package archive_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// Given a game that was handed over to another house, when it has ended there and that is known here, then it is
// archived there whole, and here as far as it was played here; before that, it is not archived here.
func TestAGameThatEndedElsewhereIsArchivedAtBothHouses(t *testing.T) {
	here, there := newHouse(t), newHouse(t)
	keys, err := events.NewKeys([32]byte{2})
	require.NoError(t, err)
	there.House = desktest.With(t, keys, memory.New(), func() time.Time { return there.now })
	table := here.StartsBy(ana, "rivals", nil, desktest.Player(ana), desktest.Player(bo))
	playsOut(here, table, 5)
	key, err := record.PublicKey(keys)
	require.NoError(t, err)
	var moving bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, here.now, &moving))
	dirs := []string{t.TempDir(), t.TempDir()}
	require.Empty(t, keeps(t, here.Desk, dirs[0]))

	f, err := record.Read(&moving)
	require.NoError(t, err)
	there.now = here.now.Add(time.Hour)
	_, err = record.Import(there.Ctx, there.Log(), keys, f, desktest.Named)
	require.NoError(t, err)
	for seat, was := range []domain.PersonID{ana, bo} {
		there.Does(was+"1", table, desk.Claim{Seat: domain.Seat(seat), Was: was})
	}
	playsOut(there, table, 5)
	there.Resigns(ana+"1", table, 0)
	there.Follows(table)
	require.Equal(t, []events.Name{table}, keeps(t, there.Desk, dirs[1]))

	f, err = record.Read(bytes.NewReader(exported(there, table)))
	require.NoError(t, err)
	here.now = there.now
	_, err = record.Conclude(here.Ctx, here.Desk, f, desktest.Named)
	require.NoError(t, err)
	require.Equal(t, []events.Name{table}, keeps(t, here.Desk, dirs[0]))
	for _, dir := range dirs {
		require.NoError(t, archive.Folder(dir).Each(func(path string) error {
			r, err := verifies(readFile(t, path))
			require.NoError(t, err)
			require.Equal(t, table, r.Table)
			require.True(t, r.Judged)
			require.Zero(t, r.Hidden)
			return nil
		}))
	}
}
