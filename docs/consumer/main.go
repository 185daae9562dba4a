// Command consumer prints the points of every game of a house as they come, from its NATS alone; what it knows stands
// in docs/format.md, section 15.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// games are the points of each line after each of its versions, the main line of each table, and the official points
// once it has ended.
type games struct {
	lines map[string]map[uint64][]int
	main  map[string]string
	ended map[string][]int
}

func (g *games) take(m *nats.RawStreamMsg) (table string, points []int) {
	var e struct{ Data struct{ Points []int } }
	must(0, json.Unmarshal(m.Data, &e))
	h, line := m.Header, m.Header.Get("Posthorn-Stream")
	version, _ := strconv.ParseUint(h.Get("Posthorn-Version"), 10, 64)
	fork, _ := strconv.ParseUint(h.Get("Posthorn-Fork"), 10, 64) // 0 where there is none
	table, points = m.Subject[strings.LastIndex(m.Subject, ".")+1:], e.Data.Points
	if h.Get("Posthorn-Kind") == "line" {
		if g.main[table] = line; g.lines[line] == nil { // it begins, with what its parent had up to the fork
			g.lines[line] = map[uint64][]int{}
			for v := range fork {
				g.lines[line][v+1] = g.lines[h.Get("Posthorn-Parent")][v+1]
			}
		}
		if g.lines[line][version] = points; points == nil { // as with the first event after a rewind
			g.lines[line][version] = g.lines[line][version-1]
		}
	} else if points != nil {
		g.ended[table] = points
	}
	return table, points
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// connect has answers sent where only the address's user may listen.
func connect(addresses string) (*nats.Conn, error) {
	inbox := "_INBOX"
	if at, err := url.Parse(addresses); err == nil && at.User != nil {
		inbox += "_" + at.User.Username()
	}
	return nats.Connect(addresses, nats.CustomInboxPrefix(inbox))
}

// follow reads the whole stream, message by message, and goes on as it grows.
func follow(nc *nats.Conn, take func(*nats.RawStreamMsg)) error {
	more := make(chan bool, 1)
	_, err := nc.Subscribe("posthorn.ev.>", func(*nats.Msg) {
		select {
		case more <- true:
		default:
		}
	})
	js := must(nc.JetStream(nats.APIPrefix(cmp.Or(os.Getenv("JS_API"), "$JS.API"))))
	for seq := uint64(1); err == nil || errors.Is(err, nats.ErrMsgNotFound); {
		var m *nats.RawStreamMsg
		if m, err = js.GetMsg("POSTHORN", seq); err == nil {
			take(m)
			seq++
		} else {
			select {
			case <-more:
			case <-time.After(time.Second):
			}
		}
	}
	return err
}

func main() {
	g := games{map[string]map[uint64][]int{}, map[string]string{}, map[string][]int{}}
	must(0, follow(must(connect(strings.Join(os.Args[1:], ","))), func(m *nats.RawStreamMsg) {
		fmt.Println(g.take(m))
	}))
}
