package record_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/record"
)

// edit changes the public part of an event.
func edit(e *record.Event, change func(map[string]any)) *record.Event {
	e.Data = edited(e.Data, change)
	return e
}

// meant changes the meta data of an event.
func meant(e *record.Event, change func(map[string]any)) *record.Event {
	e.Meta = edited(e.Meta, change)
	return e
}

func edited(text []byte, change func(map[string]any)) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		panic(err)
	}
	change(m)
	out, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return out
}

func set(key string, value any) func(map[string]any) {
	return func(m map[string]any) { m[key] = value }
}

func sub(key string, change func(map[string]any)) func(map[string]any) {
	return func(m map[string]any) { change(m[key].(map[string]any)) }
}

// cut removes the last n events of a stream.
func (g *forgery) cut(stream events.Name, n int) {
	for i := len(g.Events) - 1; i >= 0 && n > 0; i-- {
		if g.Events[i].Stream == stream {
			g.Events = slices.Delete(g.Events, i, i+1)
			n--
		}
	}
}

// main returns the line played last.
func (g *forgery) main() events.Name { return g.Header.Streams[len(g.Header.Streams)-1].Name }

// move returns move number n of the main line for which of is true, from the end if negative.
func (g *forgery) move(t testing.TB, n int, of func(*record.Event) bool) *record.Event {
	t.Helper()
	var found []*record.Event
	for i := range g.Events {
		if e := &g.Events[i]; e.Stream == g.main() && bytes.Contains(e.Data, []byte(`"move"`)) && (of == nil || of(e)) {
			found = append(found, e)
		}
	}
	if n < 0 {
		n += len(found)
	}
	require.Less(t, n, len(found))
	return found[n]
}

func byWho(who string) func(*record.Event) bool {
	return func(e *record.Event) bool { return bytes.Contains(e.Meta, []byte(`"by":"`+who+`"`)) }
}

func byHouse(e *record.Event) bool { return !bytes.Contains(e.Meta, []byte(`"by":`)) }

const year = int64(365 * 24 * time.Hour / time.Millisecond)
