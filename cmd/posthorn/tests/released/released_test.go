package released

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
	"posthorn/events/record"
	"posthorn/mail"
	"posthorn/projections/words"
)

// Houses that run today have logs, mail queues and records written by older programs, and people have their links and
// letters. The files in testdata/released hold what such a program wrote about some tables: their log, the commands
// given, the letters wanted after each event, and exported records. They are never rewritten.

var recordReleased = flag.Bool("record-released", false,
	"write the files of testdata/released that are not there yet; those that are there are never written again")

// releasedTable is the whole log of a house with a few tables, and what was done and wanted there.
type releasedTable struct {
	Streams []events.Stream
	Records []events.Record
	Done    []releasedCommand
	Letters []releasedLetter
}

// releasedCommand is a command as given through a door.
type releasedCommand struct {
	After uint64 // the position of the log before it
	By    events.Actor
	ID    events.CommandID
	Table events.Name
	Kind  string
	With  json.RawMessage
}

// releasedLetter is a letter that was first wanted at a position: its key in the outbox, its passes with all that they
// sign, and what groups the letters about a table in a mailbox.
type releasedLetter struct {
	At                                                    uint64
	Key, Act, Visit, Stop, MessageID, Thread, To, Subject string
}

// releasedPeople are the players, by id. Each gets letters in a different language.
var releasedPeople = map[domain.PersonID]mail.Recipient{
	releasedAna:  {Name: "Ana", Lang: "en", Address: "ana@example.org"},
	releasedBo:   {Name: "Bo", Lang: "pt-BR", Address: "bo@example.org"},
	releasedCida: {Name: "Cida", Lang: "pt-PT", Address: "cida@example.org"},
	releasedDawa: {Name: "Dawa", Lang: "pl", Address: "dawa@example.org"},
}

const (
	releasedAna  = domain.PersonID("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
	releasedBo   = domain.PersonID("b0b1b2b3b4b5b6b7b8b9babbbcbdbebf")
	releasedCida = domain.PersonID("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
	releasedDawa = domain.PersonID("d0d1d2d3d4d5d6d7d8d9dadbdcdddedf")
)

type releasedDirectory struct{}

func (releasedDirectory) Next(_ context.Context, _ domain.PersonID, now, _ time.Time) (time.Time, bool, error) {
	return now, false, nil
}

func (releasedDirectory) Recipient(_ context.Context, id domain.PersonID) (mail.Recipient, bool, error) {
	r, ok := releasedPeople[id]
	r.ID, r.Zone, r.Wants = id, time.UTC, func(mail.Kind, events.Name) bool { return true }
	return r, ok, nil
}

func (releasedDirectory) DisplayName(_ context.Context, id domain.PersonID) (string, error) {
	return releasedPeople[id].Name, nil
}

func (releasedDirectory) PassEpoch(_ context.Context, id domain.PersonID) (uint32, error) {
	return uint32(id[0] - 'a'), nil
}

// releasedMove and releasedOrders are the inputs of the two commands that are not an [desk.Command].
type releasedMove struct {
	Line     events.Name
	Decision domain.Open
	Text     string
}

type releasedOrders struct {
	Seat  domain.Seat
	Since uint64
	Texts []string
}

func readWith[T any](with json.RawMessage) (v T, err error) {
	return v, json.Unmarshal(with, &v)
}

func readCommand[C desk.Command](with json.RawMessage) (desk.Command, error) {
	return readWith[C](with)
}

var releasedCommands = map[string]func(json.RawMessage) (desk.Command, error){
	"abandon": readCommand[desk.Abandon], "agree": readCommand[desk.Agree], "decline": readCommand[desk.Decline],
	"end": readCommand[desk.ProposeEnd], "fill": readCommand[desk.Fill], "handover": readCommand[desk.HandOver],
	"invite": readCommand[desk.Invite], "join": readCommand[desk.Join], "refuse": readCommand[desk.Refuse],
	"resign": readCommand[desk.Resign], "rewind": readCommand[desk.ProposeRewind], "say": readCommand[desk.Say],
}

// gives gives a command through its door.
func (h *releasedHouse) gives(c releasedCommand) (desk.Answer, error) {
	h.t.Helper()
	switch c.Kind {
	case "open":
		n, err := readWith[desk.NewTable](c.With)
		require.NoError(h.t, err)
		return h.desk.Open(h.ctx, c.By, c.ID, n)
	case "move":
		m, err := readWith[releasedMove](c.With)
		require.NoError(h.t, err)
		return h.desk.Play(h.ctx, c.By,
			desk.Move{ID: c.ID, Table: c.Table, Line: m.Line, Seat: m.Decision.Seat, Decision: m.Decision,
				Text: m.Text})
	case "orders":
		o, err := readWith[releasedOrders](c.With)
		require.NoError(h.t, err)
		return h.desk.SetOrders(h.ctx, c.By, c.Table, o.Seat, c.ID, o.Since, o.Texts, nil)
	}
	command, err := releasedCommands[c.Kind](c.With)
	require.NoError(h.t, err)
	return h.desk.Do(h.ctx, c.By, c.Table, c.ID, command)
}

func TestWhatReleasedProgramsWroteStays(t *testing.T) {
	t.Parallel()
	book, err := words.New(append(rulebooks.All(), tiny.Rulebook))
	require.NoError(t, err)
	for _, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			file := filepath.Join("testdata", "released", game+".json")
			if _, err := os.Stat(file); os.IsNotExist(err) && *recordReleased {
				recordGame(t, book, game, file)
			}
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			var r releasedTable
			require.NoError(t, json.Unmarshal(src, &r))
			t.Run("letters", func(t *testing.T) { require.Equal(t, r.Letters, lettersOf(t, book, &r)) })
			t.Run("commands given again", func(t *testing.T) { r.givenAgain(t, book) })
			t.Run("what the house does by itself", func(t *testing.T) { r.followsAgain(t, book) })
		})
	}
}

// lettersOf returns the letters that the log calls for, each at the event after which it is first wanted.
func lettersOf(t *testing.T, book *words.Book, r *releasedTable) (out []releasedLetter) {
	t.Helper()
	known, threads := map[string]bool{}, map[string]string{}
	for _, l := range r.Letters {
		threads[l.Key] = l.Subject
	}
	for n := range r.Records {
		h := newReleasedHouse(t, book)
		h.holds(r, uint64(n+1))
		_, err := h.desk.CatchUp(h.ctx, 0, func(_ context.Context, b desk.Batch) error {
			out = append(out, h.letters(b.Tables, known, threads)...)
			return nil
		})
		require.NoError(t, err)
	}
	return out
}

// givenAgain sends every command a second time: it counts as the same one, and does nothing more.
func (r *releasedTable) givenAgain(t *testing.T, book *words.Book) {
	h := newReleasedHouse(t, book)
	h.holds(r, uint64(len(r.Records)))
	for _, c := range r.Done {
		ans, err := h.gives(c)
		require.NoError(t, err, "%s at %d", c.Kind, c.After)
		require.True(t, ans.Again, "%s at %d is known", c.Kind, c.After)
		require.Equal(t, r.Records[ans.Record.Pos-1].Hash, ans.Record.Hash)
	}
	require.EqualValues(t, len(r.Records), h.last())
}

// followsAgain lets the house repeat whatever it did next on its own. It does the same, under the same ids; only chance
// is new: the salts, and a deal of hidden things.
func (r *releasedTable) followsAgain(t *testing.T, book *words.Book) {
	followed := 0
	for n := 1; n < len(r.Records); n++ {
		next := &r.Records[n]
		meta, err := events.ReadMeta(next)
		require.NoError(t, err)
		if meta.Door != domain.DoorRunner && meta.Door != domain.DoorOrder || next.Type == events.TypeObeyed {
			continue // after a crash the note of an order waits until its seat is awaited again
		}
		h := newReleasedHouse(t, book)
		h.holds(r, uint64(n))
		stream := slices.IndexFunc(r.Streams, func(s events.Stream) bool { return s.Name == next.Stream })
		turns, err := h.desk.Advance(h.ctx, r.Streams[stream].Table)
		require.NoError(t, err)
		if len(turns) > 0 && h.last() == uint64(n) {
			turns[0].Text, turns[0].Move = moveOf(t, h, turns[0]), nil
			_, err := h.desk.Play(h.ctx, events.House, turns[0])
			require.NoError(t, err)
		}
		again := h.records(uint64(n))[0]
		require.Equal(t, next.Command, again.Command, "position %d", n+1)
		require.Equal(t, next.Stream, again.Stream)
		require.Equal(t, next.Version, again.Version)
		typ, data := uncounted(t, &again)
		require.Equal(t, next.Type, typ)
		require.Equal(t, string(next.Meta), string(again.Meta))
		require.Equal(t, string(next.Data), data)
		require.Equal(t, h.secrets(next), h.secrets(&again))
		followed++
	}
	require.Greater(t, followed, 4)
}

// uncounted returns the type and data of an event as written by a program that did not add the points after it.
func uncounted(t *testing.T, r *events.Record) (typ, data string) {
	t.Helper()
	points := regexp.MustCompile(`,"points":\[[-0-9,]+\]`).FindIndex(r.Data)
	base, number, _ := strings.Cut(r.Type, ".v")
	if points == nil {
		require.True(t, strings.HasPrefix(base, "table.") || base == "line.forked" || base == "seat.obeyed",
			"%s has points", r.Type)
		return r.Type, string(r.Data)
	}
	was := map[string]string{"2": "1", "3": "1", "4": "2"}[number]
	return base + ".v" + was, string(slices.Concat(r.Data[:points[0]], r.Data[points[1]:]))
}

// secrets returns the texts of an event's secret parts.
func (h *releasedHouse) secrets(rec *events.Record) (texts []string) {
	h.t.Helper()
	for n, p := range rec.Parts {
		_, text, err := h.desk.Keys().Unseal(rec, n)
		require.NoError(h.t, err)
		texts = append(texts, fmt.Sprint(p.To, string(text)))
	}
	return texts
}

// moveOf returns the first legal move for a decision, in notation.
func moveOf(t *testing.T, h *releasedHouse, m desk.Move) string {
	t.Helper()
	look, err := h.desk.Look(h.ctx, m.Table)
	require.NoError(t, err)
	for mv := range look.Rulebook.Legal(look.Line.State, m.Seat) {
		return look.Rulebook.FormatMove(mv, nil)
	}
	require.Fail(t, "there is a legal move")
	return ""
}

func TestRecordsOfReleasedProgramsVerify(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "released", "*.record"))
	require.NoError(t, err)
	require.Len(t, files, 12)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			f, err := record.Read(bytes.NewReader(src))
			require.NoError(t, err)
			if f.Header.Handover {
				log := memory.New()
				keys := releasedKeys(t, 2)
				_, err = record.Import(context.Background(), log, keys, f, releasedNamed)
				require.NoError(t, err)
				look, err := desk.NewDesk(log, keys, releasedNamed, time.Now).
					Look(context.Background(), f.Header.Table)
				require.NoError(t, err)
				require.NotEmpty(t, look.Asks(), "the game goes on here")
				require.NoError(t, log.Close())
				return
			}
			report, err := record.Verify(f, releasedNamed)
			require.NoError(t, err)
			rb, ok := releasedNamed(f.Header.Rulebook)
			require.True(t, ok)
			if f.Header.Edition != rb.Edition() { // its rules are gone: nothing is claimed of luck and legality
				require.Contains(t, strings.Join(report.Skipped, ""),
					"edition "+f.Header.Edition+" of the rules is not known here")
				require.False(t, report.Judged)
				return
			}
			if f.Header.Viewer == "everything" {
				require.True(t, report.Judged)
				require.Empty(t, report.Skipped)
				require.Zero(t, report.Hidden)
				require.NotZero(t, report.Moves)
			}
		})
	}
}
