package desk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestAReceiptIsHeldAgainstTheLog(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	other := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	kept := h.Sees(table)
	h.Plays(table, 0, "keep")
	look := h.Sees(table)
	sign := (*events.Keys).Sign
	of := events.Receipt{Table: table, Stream: kept.LineName, Version: kept.LineHead.Version, Hash: kept.LineHead.Hash}

	strangers, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	altered, later, elsewhere := of, of, of
	altered.Hash[0] ^= 1
	later.Version = look.LineHead.Version + 7
	elsewhere.Table = other
	noStream := of
	noStream.Stream[0] ^= 1
	for name, c := range map[string]struct {
		line string
		want error
	}{
		"as it was given": {sign(h.Keys(), of), nil},
		"of the table's own events": {
			sign(h.Keys(), events.Receipt{Table: table, Stream: table, Version: look.TableHead.Version,
				Hash: look.TableHead.Hash}), nil},
		"signed by somebody else":  {sign(strangers, of), events.ErrReceipt},
		"no receipt":               {"posthorn-receipt-1:ab", events.ErrReceipt},
		"of another table":         {sign(h.Keys(), elsewhere), desk.ErrElsewhere},
		"of what is not there yet": {sign(h.Keys(), later), desk.ErrCutOff},
		"of a line that is gone":   {sign(h.Keys(), noStream), desk.ErrCutOff},
		"of another history":       {sign(h.Keys(), altered), desk.ErrRewritten},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := h.CheckReceipt(h.Ctx, look, c.line)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, table, r.Table)
			}
		})
	}
}
