package record_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

func TestEveryStructuredChangeIsFoundAndNamed(t *testing.T) {
	require.GreaterOrEqual(t, len(changes), 48)
	for _, c := range changes {
		t.Run(c.name, c.isFound)
	}
}

// isFound checks that verifying finds a change, and names where it is.
func (c change) isFound(t *testing.T) {
	file := c.of(t)
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.Empty(t, r.Skipped, "the true record is whole")

	g := forgers(t, file, desktest.Keys(t))
	named := c.do(t, g)
	forged := g.written(t)
	f, err = record.Read(bytes.NewReader(forged))
	if err == nil {
		_, err = record.Verify(f, desktest.Named)
	}
	var fault *record.Fault
	require.ErrorAs(t, err, &fault, "it is found")
	require.False(t, fault.Stream.IsZero() || fault.Version == 0, "%v names stream and version", err)
	require.NotContains(t, err.Error(), "cannot be what a server wrote", "it is judged, not stumbled upon")
	if named != nil {
		require.Equal(t, fmt.Sprint(named.Stream, named.Version), fmt.Sprint(fault.Stream, fault.Version), err.Error())
	}
}

// Given a change without the server's key, so that the hashes do not fit, then the first changed event is named.
func TestEveryChangeWithoutTheHashesIsNamedWhereItIs(t *testing.T) {
	file := story(t)
	for i := range forgers(t, file, desktest.Keys(t)).Events {
		for what, change := range map[string]func(*record.Event){
			"data":    func(e *record.Event) { e.Data = edited(e.Data, set("more", 1)) },
			"meta":    func(e *record.Event) { e.Meta = edited(e.Meta, set("more", 1)) },
			"at":      func(e *record.Event) { e.At++ },
			"type":    func(e *record.Event) { e.Type += "x" },
			"codec":   func(e *record.Event) { e.Codec = "xml" },
			"command": func(e *record.Event) { e.Command[3] ^= 1 },
			"hash":    func(e *record.Event) { e.Hash[3] ^= 1 },
		} {
			g := forgers(t, file, desktest.Keys(t))
			e := &g.Events[i]
			change(e)
			f, err := record.Read(bytes.NewReader(g.lines(t)))
			require.NoError(t, err)
			_, err = record.Verify(f, desktest.Named)
			var fault *record.Fault
			require.ErrorAs(t, err, &fault, what)
			require.Equal(t, fmt.Sprint(e.Stream, e.Version), fmt.Sprint(fault.Stream, fault.Version), "%s: %v", what,
				err)
		}
	}
}

// Given an edition of the rules that nobody here knows, then no fault is found and none is ruled out.
func TestAnUnknownEditionIsNotChecked(t *testing.T) {
	g := forgers(t, story(t), desktest.Keys(t))
	edit(g.find(t, "table.opened.v2", 0), set("edition", "77"))
	g.Header.Edition = "77"
	f, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.False(t, r.Judged)
	require.Contains(t, strings.Join(r.Skipped, "\n"), "edition 77 of the rules is not known here")
}

// Given a receipt from before the forgery, then even what no rule forbids is found.
func TestAReceiptFindsWhatNoRuleForbids(t *testing.T) {
	file := story(t)
	g := forgers(t, file, desktest.Keys(t))
	receipt := g.Header.Heads[len(g.Header.Heads)-1]
	for i := range g.Events {
		g.Events[i].At -= year
	}
	forged, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	r, err := record.Verify(forged, desktest.Named)
	require.NoError(t, err)
	require.False(t, r.Witnessed, "nobody can know it, and the report says so")
	_, err = record.Verify(forged, desktest.Named, receipt)
	require.ErrorContains(t, err, "another history")
	honest, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	r, err = record.Verify(honest, desktest.Named, receipt)
	require.NoError(t, err)
	require.True(t, r.Witnessed)
}

// Given the receipt of one's own standing order, which no record holds, then an honest record is not called forged.
func TestAReceiptOfOnesOwnOrderIsNoFault(t *testing.T) {
	file := story(t)
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	order := desktest.Keys(t).Sign(events.Receipt{
		Table: f.Header.Table, Stream: desktest.Keys(t).SeatStream(f.Header.Table, 0), Version: 1})
	r, err := record.Verify(f, desktest.Named, order)
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Skipped, "\n"), "orders of a seat are not in it")
}
