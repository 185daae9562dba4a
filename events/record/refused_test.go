package record_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/record"
)

func TestAHeaderThatCannotBeReadIsNoRecord(t *testing.T) {
	for _, header := range []string{
		``, `{`, `[]`, `{}`, `{"format":"posthorn-record-2"}`, `{"format":"` + record.Format + `","table":5}`,
		`{"format":"` + record.Format + `","streams":{}}`, `{"format":"` + record.Format + `","exported":"yesterday"}`,
	} {
		_, err := record.Read(bytes.NewReader([]byte(header + "\n{}\n")))
		require.ErrorIs(t, err, record.ErrFormat, header)
	}
}

func TestWhatFollowsTheLastReceiptIsNamedByVersions(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 2)
	was := h.Sees(table)
	receipt := h.Receipt(table, was.LineName, was.LineHead)
	h.play(table, 3)
	r, err := verify(h.export(table, domain.Spectator), receipt)
	require.NoError(t, err)
	require.True(t, r.Witnessed)
	want := fmt.Sprintf("versions %d to %d of stream %s come after the last receipt", was.LineHead.Version+1,
		h.Sees(table).LineHead.Version, was.LineName)
	require.Contains(t, strings.Join(r.Skipped, "\n"), want)
}

func TestAHandoverBringsNoStreamButTheTablesOwn(t *testing.T) {
	here := newHouse(t, 1)
	table := here.open(nil)
	here.play(table, 3)
	key, err := record.PublicKey(newHouse(t, 2).Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, time.Now(), &b))
	foreign := events.NewName()
	for name, s := range map[string]events.Stream{
		"a seat's":          {Kind: events.KindSeat, Table: table, Rulebook: "tiny"},
		"the house's":       {Kind: events.KindHouse},
		"another table":     {Kind: events.KindTable, Table: foreign, Rulebook: "tiny"},
		"another's line":    {Kind: events.KindLine, Table: events.NewName(), Rulebook: "tiny"},
		"of another game":   {Kind: events.KindLine, Table: table, Rulebook: "catan"},
		"one of these anew": {Name: table, Kind: events.KindTable, Table: table, Rulebook: "tiny"},
	} {
		f, err := record.Read(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		if s.Name.IsZero() {
			s.Name = foreign
		}
		f.Header.Streams = append(f.Header.Streams, s)
		there := newHouse(t, 2)
		_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, named)
		require.Error(t, err, name)
		last, err := there.Log().Last(there.Ctx)
		require.NoError(t, err)
		require.Zero(t, last, "%s: nothing is adopted", name)
	}
}
