package walk

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/programtest"
)

// walk is one walk through a house.
type walk struct {
	t        *testing.T
	house    *living
	rnd      *rand.Rand
	step     int
	folk     []*person
	browsers int
	wrote    []string       // what people wrote in their own words
	pressed  map[string]int // how often each kind of press was made
	reached  map[string]int // routes and what else the gate counts
	faults   map[string]*fault
	known    map[events.Name]*known
	tables   []events.Name        // which those are, the oldest first: their ids are drawn by lot
	stayed   map[string]time.Time // when a page of a table last answered that it is looked at
	switched map[string]int       // in which step somebody last changed which mails they want
	saw      time.Time            // when it last looked at that
	sawAt    uint64               // and where the log ended then
	before   string               // what was pressed last
	began    time.Time
	judged   map[*person]int  // how many of their letters were judged
	seen     map[string]place // where something that nobody has done yet was offered
	lacking  []string         // what no walk has reached yet, while one looks for it
}

// way is how a person uses the house.
type way int

const (
	byPage way = iota
	byLinks
	byMail
	byAPI
)

// person is somebody who walks.
type person struct {
	name, address, lang string
	way                 way
	desk                *browser // signed in, if they ever signed in
	phone               *browser // where links in mails open
	token               string   // of their program
}

func (p *person) String() string { return p.name }

func addressOf(name string) string { return strings.ToLower(name) + "@example.org" }

// role is a name of the cast, with how that person reads and plays.
type role struct {
	name, lang string
	way        way
}

// cast is who walks: four languages, four ways.
var cast = []role{
	{"Ana", "en", byPage}, {"Bo", "pt-PT", byLinks}, {"Cida", "pt-BR", byPage}, {"Dirk", "pl", byMail},
	{"Eva", "en", byMail}, {"Filip", "pl", byPage}, {"Gosia", "pt-BR", byMail}, {"Hugo", "en", byAPI},
}

func (w *walk) end() uint64 {
	pos, err := w.house.Log.Last(w.house.ctx)
	require.NoError(w.t, err)
	return pos
}

// since lists the types of the events after a position, each once for several in a row.
func (w *walk) since(pos uint64) (out []string) {
	for _, r := range w.records(pos) {
		out = append(out, r.Type)
	}
	return slices.Compact(out)
}

func (w *walk) one(n int) bool { return w.rnd.IntN(n) == 0 }

func pick[T any](w *walk, list []T) T { return list[w.rnd.IntN(len(list))] }

// gathers makes a walk through a house that nobody has entered yet.
func gathers(t *testing.T, seed uint64, house *living) *walk {
	t.Helper()
	w := &walk{t: t, rnd: rand.New(rand.NewPCG(seed, 33)), pressed: map[string]int{}, reached: map[string]int{},
		faults: map[string]*fault{}, known: map[events.Name]*known{}, stayed: map[string]time.Time{},
		switched: map[string]int{}, seen: map[string]place{}, judged: map[*person]int{}}
	w.house = house
	w.began = time.Now()
	for _, c := range cast {
		p := &person{name: c.name, address: addressOf(c.name), lang: c.lang, way: c.way}
		p.desk, p.phone = w.browser(p, "Firefox of "+c.name), w.browser(p, "the phone of "+c.name)
		w.folk = append(w.folk, p)
	}
	return w
}

// begin makes a walk through a house.
func begin(t *testing.T, seed uint64, house *living) *walk {
	t.Helper()
	w := gathers(t, seed, house)
	for _, p := range w.folk {
		if p.way == byPage || p.way == byAPI {
			w.signsIn(p)
		}
		if p.way == byAPI {
			w.takesToken(p)
			for i := 0; i < 4 && !w.house.alive; i++ {
				w.opensAlone(p, "rivals") // it asks the most kinds of question
			}
			w.opensAlone(p, "catan")
		}
	}
	return w
}

// seeds are the walks that every test run makes. POSTHORN_SEED names one, POSTHORN_WALK how many steps it has.
var seeds = []uint64{1, 2, 3}

// mostWalks is how many are made at most until all was reached: where somebody has switched their mails off, or nobody
// invites them, one walk alone may never reach it.
const mostWalks = 9

func TestTheWalk(t *testing.T) {
	programtest.Long(t)
	steps, from := 120, seeds
	if os.Getenv("POSTHORN_LONG") == "1" {
		steps = 10_000
	}
	if n, err := strconv.Atoi(os.Getenv("POSTHORN_WALK")); err == nil {
		steps = n
	}
	if n, err := strconv.ParseUint(os.Getenv("POSTHORN_SEED"), 10, 64); err == nil {
		from = []uint64{n}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so a seed walks the same way each time
	reached, lacking := map[string]int{}, []string{}
	named := len(from) < len(seeds)
	for i := 0; i < len(from) || !named && len(lacking) > 0 && i < mostWalks; i++ {
		seed, last := uint64(i+1), steps
		if i < len(from) {
			seed = from[i]
		}
		if i >= len(seeds)-1 {
			last = 4 * steps // it goes on until nothing is left out
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := walks(t, seed, func(w *walk) bool {
				if w.step < steps {
					return true
				}
				if now := missing(w.wanted(), reached, w.reached); len(now) != len(lacking) {
					t.Logf("step %d: %d not reached yet, as %v", w.step, len(now), now[:min(len(now), 12)])
					lacking = now
				}
				if w.step == steps { // from here on it looks for what no walk has reached
					for key, n := range reached {
						w.reached[key] += n
					}
				}
				w.lacking = lacking
				return len(lacking) > 0 && w.step < last
			})
			for key, n := range w.reached {
				reached[key] += n
			}
		})
	}
	if len(lacking) > 0 {
		t.Errorf("never reached:\n%s", strings.Join(lacking, "\n"))
	}
}

// walks walks in a bubble of time, and judges the house at the end.
func walks(t *testing.T, seed uint64, more func(*walk) bool) (w *walk) {
	t.Helper()
	dir := os.Getenv("POSTHORN_WALK_RECORDS") // kept there for whoever looks at a fault
	chosen := notes(t, seed, cmp.Or(dir, os.TempDir()))
	if dir == "" {
		dir = t.TempDir()
	}
	var records []exported
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, seed)
		house := lives(t, t.TempDir())
		house.choices = chosen
		w = begin(t, seed, house)
		for w.step = 0; more(w); w.step++ {
			w.visits(w.whose())
			w.asked()
			w.passes()
			w.asked()
			w.letters()
			w.compares()
			for kind, n := range w.house.kinds {
				w.reached["mail "+string(kind)] = n
			}
		}
		for _, text := range w.house.errors {
			w.wrong("the program's log", text, "%s", text)
		}
		records = w.exports(dir)
		t.Logf("%d steps, %s of their time, %d events, %d tables, mails %v", w.step, time.Since(w.began), w.end(),
			len(w.known), w.house.kinds)
	})
	if len(w.faults) > 0 {
		t.Errorf("%d faults:\n%s", len(w.faults), w.report())
	}
	interpreter := programtest.Python(t)
	var judging sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for _, e := range records {
		places <- struct{}{}
		judging.Go(func() {
			defer func() { <-places }()
			if fault := verifies(t, interpreter, e); fault != "" {
				t.Errorf("%s: %s", e.path, fault)
			} else {
				_ = os.Remove(e.path) // only what is at fault is worth keeping
			}
		})
	}
	judging.Wait()
	return w
}

// whose returns who is next: while something is lacking that a program does, or soonest meets as it plays to the end,
// who writes programs is it more often.
func (w *walk) whose() *person {
	api := func(key string) bool { return strings.Contains(key, " /api/") || strings.HasPrefix(key, "decision ") }
	if i := slices.IndexFunc(w.folk, func(p *person) bool { return p.way == byAPI }); i >= 0 &&
		slices.ContainsFunc(w.lacking, api) && w.one(2) {
		return w.folk[i]
	}
	return pick(w, w.folk)
}

// compares compares the doors for somebody at some table.
func (w *walk) compares() {
	if !w.one(3) || len(w.tables) == 0 {
		return
	}
	w.agrees(pick(w, w.folk), pick(w, w.tables))
}

// passes lets time pass: mostly minutes, now and then a night or days.
func (w *walk) passes() {
	switch w.rnd.IntN(30) {
	case 0:
		w.house.settles(time.Duration(20+w.rnd.IntN(60)) * time.Hour)
	case 1, 2, 3:
		w.house.settles(time.Duration(1+w.rnd.IntN(10)) * time.Hour)
	default:
		w.house.settles(time.Duration(3+w.rnd.IntN(300)) * time.Second)
	}
}
