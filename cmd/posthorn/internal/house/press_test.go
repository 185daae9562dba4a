package house_test

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/http/pagetest"
)

// presser is a house with a table at which a press of Ana's has something asked in its middle.
type presser struct {
	*players
	start  uint64 // the version before any press
	press  string // as a button sends it
	answer string // to what is asked in its middle
}

// both presses the press, and then what is asked in its middle.
func (p *presser) both(r *reader) {
	p.t.Helper()
	r.presses(p.press)
	require.Contains(p.t, r.body, "After that, as you chose: stack 2")
	r.presses(p.answer)
}

// calls has Ana's program play, after what an earlier answer left.
func (p *presser) calls(move, then string) (left string) {
	p.t.Helper()
	api := "/api/v1/tables/" + p.table.String() + "/moves"
	before := p.seats.Sees(p.table).LineHead.Version
	_, body := p.Get(api, p.ana, "en")
	var asked map[string]any
	require.NoError(p.t, json.Unmarshal([]byte(body), &asked))
	sent, err := json.Marshal(map[string]any{"id": events.NewCommandID().String(), "line": asked["line"],
		"decision": asked["decision"], "move": move, "then": then})
	require.NoError(p.t, err)
	r, err := http.NewRequestWithContext(p.Ctx, "POST", api, bytes.NewReader(sent))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	status, body := p.Ask(r, p.ana, "en")
	require.Equal(p.t, 200, status, body)
	var done struct {
		Version uint64
		Then    string
	}
	require.NoError(p.t, json.Unmarshal([]byte(body), &done))
	require.Equal(p.t, before+1, done.Version, "the answer is the first move's")
	return done.Then
}

// played returns the events since the start, as Ana knows them.
func (p *presser) played() (list []domain.Event) {
	p.t.Helper()
	look := p.seats.Sees(p.table)
	all, err := p.Desk.History(p.Ctx, look, look.LineName, domain.ViewOf(0), p.start, 0)
	require.NoError(p.t, err)
	for _, e := range all {
		if !e.Forked {
			list = append(list, e.Event)
		}
	}
	return list
}

// A press is the same through every door: the same moves become the same events, with what is asked in between; on
// copies, the same moves.
func TestAPressIsTheSameThroughEveryDoor(t *testing.T) {
	t.Parallel()
	p := &presser{players: newPlayers(t)}
	l := p.Living
	ans, err := l.Desk.Open(l.Ctx, desktest.By(p.ana.ID), events.NewCommandID(), desk.NewTable{Rulebook: "rivals",
		Given:  []byte(`{"active":"A","phase":"exchange","seats":[{"hand":["goldsmith","weavers_shop","osmund"]},{}]}`),
		Places: []domain.TablePlace{desktest.Player(p.ana.ID), desktest.Player(p.bo.ID)}, Pace: "weekly"})
	require.NoError(t, err)
	p.table = ans.Table
	p.seats.Joins(p.ana.ID, p.table, 0)
	p.seats.Joins(p.bo.ID, p.table, 1)
	p.seats.Follows(p.table)
	p.start = p.seats.Sees(p.table).LineHead.Version

	home := p.reader(p.ana.Session)
	table := "/t/" + p.table.String()
	several := regexp.MustCompile(`^search osmund \d; stack 2$`)
	home.opens(table)
	p.press = home.offered(several.MatchString)
	require.NotEmpty(t, p.press)

	doors := map[string]func(){
		"page": func() {
			home.opens(table)
			p.both(home)
		},
		"link": func() {
			_, text := p.letter(p.ana)
			r := p.reader("")
			r.opens(regexp.MustCompile(`/p/[\w-]+`).FindString(text))
			p.both(r)
		},
		"program": func() {
			left := p.calls(p.press, "")
			require.NotEmpty(t, left)
			require.Empty(t, p.calls(p.answer, left))
		},
		"reply": func() {
			p.answers(p.ana, p.press, 1)
			p.answers(p.ana, p.answer+"; stack 2", 2)
		},
	}
	// A standing order answers what is asked: it says from where it pays.
	home.presses(p.press)
	home.presses("pay")
	want := p.played()
	require.Len(t, want, 3)
	p.answer = want[1].Move
	for door, plays := range doors {
		t.Run(door, func(t *testing.T) {
			p.t = t
			p.seats.Rewinds(p.table, p.start)
			plays()
			require.Equal(t, want, p.played())
		})
	}
	p.t = t

	p.seats.Rewinds(p.table, p.start)
	name := regexp.MustCompile(`/t/[0-9a-f]+/sketch`)
	home.opens(table)
	home.read(home.PostForm(p.Config.PublicURL+name.FindString(home.body), url.Values{"now": {"1"}}))
	p.both(home)
	s, _, err := l.People.Sketch(l.Ctx, p.ana.ID, p.table)
	require.NoError(t, err)
	var tried []string
	for _, ply := range s.Find(s.Last).Plies {
		tried = append(tried, ply.Move)
	}
	require.Equal(t, slices.Insert(strings.Split(p.press, domain.PressSeparator), 1, p.answer), tried)

	p.seats.Ends(p.table)
	p.seats.Follows(p.table)
	moment := table + "/line/" + p.seats.Sees(p.table).LineName.String() + "/" + strconv.FormatUint(p.start, 10)
	home.opens(moment)
	home.opens(html.UnescapeString(regexp.MustCompile(`/t/[^"]*/puzzle[?][^"]*`).FindString(home.body)))
	home.presses(p.press)
	form := pagetest.Of(t, home.body, table+"/puzzle")
	require.Contains(t, strings.Split(form.Fields.Get("solutions"), "\n"), p.press)
	form.Fields.Set("title", "How would you go on?")
	home.read(home.PostForm(p.Config.PublicURL+form.Action, form.Press(form.Buttons[0])))
	solver := p.reader("")
	solver.opens(home.path)
	solver.presses(p.press)
	require.Contains(t, solver.body, ">Right<")
}
