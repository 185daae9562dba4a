package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// writes appends an event to an existing stream, whatever it says.
func writes(h *desktest.House, stream events.Name, version uint64, change func(*events.Draft)) {
	h.T.Helper()
	d := events.Draft{Stream: stream, Expect: version, Command: events.NewCommandID(), Codec: "json",
		At: time.Unix(2e9, 0), Meta: []byte("{}"), Data: []byte("{}")}
	change(&d)
	_, err := h.Log().Append(h.Ctx, d)
	require.NoError(h.T, err)
}

func TestAnEventOfATableThatCannotBeReadIsNamed(t *testing.T) {
	for name, forge := range map[string]func(*events.Draft){
		"its type": func(d *events.Draft) { d.Type = "table.turned.v1" },
		"its data": func(d *events.Draft) {
			d.Type, d.Data = domain.TableEventType(&domain.Said{}), []byte(`{"by":`)
		},
		"its author": func(d *events.Draft) {
			d.Type, d.Meta = domain.TableEventType(&domain.Said{}), []byte(`{"by":`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrdering(t)
			head := o.Sees(o.table).TableHead.Version
			writes(o.House, o.table, head, forge)
			_, err := o.Look(o.Ctx, o.table)
			require.Equal(t, [3]any{o.table, o.table, head + 1}, unreadable(t, err))
			_, err = o.TableHistory(o.Ctx, o.table, 0)
			require.Equal(t, [3]any{o.table, o.table, head + 1}, unreadable(t, err))
		})
	}
}

func TestAMoveThatCannotBeReadIsNamed(t *testing.T) {
	for name, forge := range map[string]func(*events.Draft){
		"another game's": func(d *events.Draft) { d.Type = "chess.moved.v1" },
		"its type":       func(d *events.Draft) { d.Type = "tiny.sang.v1" },
		"its data":       func(d *events.Draft) { d.Type, d.Data = "tiny.chose.v1", []byte(`{"seat":`) },
		"its author":     func(d *events.Draft) { d.Type, d.Meta = events.TypeForked, []byte(`{"by":`) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrdering(t)
			look := o.Sees(o.table)
			writes(o.House, look.LineName, look.LineHead.Version, forge)
			want := [3]any{o.table, look.LineName, look.LineHead.Version + 1}
			_, err := o.Look(o.Ctx, o.table)
			require.Equal(t, want, unreadable(t, err))
			_, err = o.History(o.Ctx, look, look.LineName, domain.Spectator, 0, 0)
			require.Equal(t, want, unreadable(t, err))
			_, err = o.LineAt(o.Ctx, look, look.LineName, look.LineHead.Version+1)
			require.Equal(t, want, unreadable(t, err))
		})
	}
}

func TestAnEventOfASeatThatCannotBeReadIsNamed(t *testing.T) {
	for name, forge := range map[string]func(*desktest.House, *events.Draft){
		"its type": func(_ *desktest.House, d *events.Draft) { d.Type = "seat.dreamt.v1" },
		"no parts": func(_ *desktest.House, d *events.Draft) { d.Type = events.TypeOrdered },
		"two parts": func(h *desktest.House, d *events.Draft) {
			d.Type = events.TypeOrdered
			for n := range 2 {
				d.Parts = append(d.Parts, h.Keys().Seal(d.Stream, d.Expect+1, n, domain.To(0), []byte(`{}`)))
			}
		},
		"sealed for another version": func(h *desktest.House, d *events.Draft) {
			d.Type, d.Parts = events.TypeOrdered,
				[]events.Part{h.Keys().Seal(d.Stream, d.Expect+2, 0, domain.To(0), []byte(`{}`))}
		},
		"its text": func(h *desktest.House, d *events.Draft) {
			d.Type, d.Parts = events.TypeOrdered,
				[]events.Part{h.Keys().Seal(d.Stream, d.Expect+1, 0, domain.To(0), []byte(`{"line":`))}
		},
		"its author": func(h *desktest.House, d *events.Draft) {
			d.Type, d.Parts = events.TypeOrdered,
				[]events.Part{h.Keys().Seal(d.Stream, d.Expect+1, 0, domain.To(0), []byte(`{}`))}
			d.Meta = []byte(`{"by":`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrdering(t)
			stream := o.gives(desktest.Ana, 0, "keep").Record.Stream
			writes(o.House, stream, 1, func(d *events.Draft) { forge(o.House, d) })
			_, err := o.Orders(o.Ctx, o.table, 0, desktest.Ana)
			require.Equal(t, [3]any{o.table, stream, uint64(2)}, unreadable(t, err))
			_, err = o.Advance(o.Ctx, o.table)
			require.Equal(t, [3]any{o.table, stream, uint64(2)}, unreadable(t, err))
		})
	}
}

// unreadable returns what an error says cannot be read: the table, the stream and its version.
func unreadable(t *testing.T, err error) [3]any {
	t.Helper()
	var u *desk.Unreadable
	require.ErrorAs(t, err, &u)
	return [3]any{u.Table, u.Stream, u.Version}
}
