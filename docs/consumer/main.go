// Command consumer prints the points of every game of a house as they come, from its NATS alone; what it knows stands in docs/format.md, section 15.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// games are the points of each line after each of its versions, the main line of each table, and the official points once it has ended.
type games struct {
	lines map[string]map[uint64][]int
	main  map[string]string
	ended map[string][]int
}

func (g *games) take(m jetstream.Msg) (table string, points []int) {
	var e struct{ Data struct{ Points []int } }
	must(0, json.Unmarshal(m.Data(), &e))
	h, line := m.Headers(), m.Headers().Get("Posthorn-Stream")
	version, _ := strconv.ParseUint(h.Get("Posthorn-Version"), 10, 64)
	fork, _ := strconv.ParseUint(h.Get("Posthorn-Fork"), 10, 64) // 0 where there is none
	table, points = m.Subject()[strings.LastIndex(m.Subject(), ".")+1:], e.Data.Points
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

func main() {
	js := must(jetstream.New(must(nats.Connect(strings.Join(os.Args[1:], ",")))))
	g := games{map[string]map[uint64][]int{}, map[string]string{}, map[string][]int{}}
	all := must(js.OrderedConsumer(context.Background(), "POSTHORN", jetstream.OrderedConsumerConfig{}))
	must(all.Consume(func(m jetstream.Msg) { fmt.Println(g.take(m)) }))
	select {}
}
