package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// A row of the table of secret parts that is longer than a quarter of a page gets a 4 kB page of its own, most of it
// empty. Given the secrets of every kind of move, and of what orders answer, then each takes little more than its
// length.
func TestTheSecretOfAMoveTakesNoPageOfItsOwn(t *testing.T) {
	ctx, keys := context.Background(), desktest.Keys(t)
	for _, rb := range rulebooks.All() {
		for _, typ := range []string{rb.Name() + ".played.v1", events.TypeObeyed} {
			t.Run(rb.Name()+" "+typ, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "events.db")
				log, err := sqlite.Open(ctx, path)
				require.NoError(t, err)
				table := events.Stream{Name: events.NewName(), Kind: events.KindTable, Rulebook: rb.Name()}
				table.Table = table.Name
				_, err = log.Append(ctx, logtest.Opening(table))
				require.NoError(t, err)
				// bytes of an event's public part with all that belongs to it, and some to spare
				const n, public = 400, 600
				sealed := 0
				for v := range uint64(n) {
					d := logtest.Following(table.Name, v+1)
					d.Parts = []events.Part{keys.SealIn(events.PadOf(rb, typ), table.Name, v+2, 0, domain.To(0),
						[]byte(`{}`))}
					sealed = len(d.Parts[0].Sealed)
					_, err := log.Append(ctx, d)
					require.NoError(t, err)
				}
				require.NoError(t, log.Close())
				file, err := os.Stat(path)
				require.NoError(t, err)
				require.Less(t, file.Size(), int64(n*(sealed+public)), "a secret of %d bytes", sealed)
			})
		}
	}
}
