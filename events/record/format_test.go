package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
	island "posthorn/domain/catan/table"
	cards "posthorn/domain/rivals/table"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// Strangers write verifiers from the page docs/format.md. These tests compare its contents with the program, so that
// it cannot become wrong unnoticed.

// page returns the page with the lists that it links.
func page(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/format.md")
	require.NoError(t, err)
	for _, name := range []string{"tables/events.txt", "tables/rules.txt", "tables/outcomes.txt",
		"vectors/vectors.txt"} {
		require.Contains(t, string(text), "("+name+")")
		list, err := os.ReadFile("../../docs/" + name)
		require.NoError(t, err)
		text = append(append(text, '\n'), list...)
	}
	return string(text)
}

func pageRecord(t testing.TB) (lines []string, f *record.File) {
	t.Helper()
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	f, err = record.Read(bytes.NewReader(text))
	require.NoError(t, err)
	return strings.Split(string(text), "\n"), f
}

// blocks returns the contents of the page's fences of a kind.
func blocks(text, kind string) (out []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+kind+"\n(.*?)\n```$").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestTheRecordOfThePageIsProved(t *testing.T) {
	_, f := pageRecord(t)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.Empty(t, r.Skipped)
	require.Positive(t, r.Draws)
}

func TestThePageHashesAsTheProgramDoes(t *testing.T) {
	text := page(t)
	lines, f := pageRecord(t)
	require.Equal(t, lines[1:3], blocks(text, "json"))
	hashed := blocks(text, "hash")
	require.Len(t, hashed, 3)
	for i, block := range hashed[:2] {
		var all []byte
		for _, line := range strings.Split(block, "\n") {
			b, err := hex.DecodeString(strings.Fields(line)[1])
			require.NoError(t, err)
			all = append(all, b...)
		}
		require.Equal(t, f.Events[i].Hash, events.Hash(sha256.Sum256(all)))
		require.Contains(t, text, "`"+f.Events[i].Hash.String()+"`")
	}
	salt := f.Events[0].Parts[0].Salt
	require.Contains(t, text, fmt.Sprintf("`%x%x`", binary.BigEndian.AppendUint64(nil, 32), salt))
	require.Contains(t, text, "`"+f.Events[0].Parts[0].Digest.String()+"`")
	require.Contains(t, text, "`"+base64.StdEncoding.EncodeToString(f.Header.Key)+"`")
	receipt := f.Header.Heads[2]
	require.Contains(t, blocks(text, ""), receipt)
	_, err := events.ReadReceipt(f.Header.Key, receipt)
	require.NoError(t, err)
	require.Regexp(t, regexp.MustCompile(
		`posthorn-receipt-1:\[0-9a-f\]\{32\}:\[0-9a-f\]\{32\}:\[0-9\]\{1,20\}:\[0-9a-f\]\{64\}:\[A-Za-z0-9_-\]\{86\}`),
		text)
}

func TestThePageDrawsAsTheProgramDoes(t *testing.T) {
	text := page(t)
	_, f := pageRecord(t)
	var seed domain.Key
	require.NoError(t, seed.UnmarshalText([]byte(*f.Events[0].Parts[0].Text)))
	contributions := [][]byte{[]byte("Ana has thrown 4 2 6 1"), []byte("rain on the window, 19")}
	var message []byte
	for _, c := range contributions {
		message = append(binary.BigEndian.AppendUint64(message, uint64(len(c))), c...)
	}
	require.Contains(t, blocks(text, "hash"), hex.EncodeToString(message))
	for i := range 2 {
		k := domain.LineKey(seed, i, contributions)
		require.Regexp(t, fmt.Sprintf("\\| %d \\| `[0-9a-f]{64}` \\| `%x` \\|", i, k[:]), text)
	}
	rows := regexp.MustCompile("(?m)^\\| ([01]) \\| `\\[\"([a-z-]+)\",(\\d+),(\\d+)\\]` \\| "+
		"`[0-9a-f]{16}` \\| (\\d+) \\|$").FindAllStringSubmatch(text, -1)
	require.GreaterOrEqual(t, len(rows), 6)
	for _, row := range rows {
		var line, k, size, want int
		_, err := fmt.Sscan(row[1]+" "+row[3]+" "+row[4]+" "+row[5], &line, &k, &size, &want)
		require.NoError(t, err)
		src := domain.NewSource(domain.LineKey(seed, line, contributions))
		if k > 0 {
			src.Count([]domain.Draw{{Purpose: row[2], K: uint64(k) - 1}})
		}
		require.Equal(t, want, src.Begin().Draw(row[2], size), row[0])
	}
	luck, board := domain.NewSource(domain.LineKey(seed, 0, contributions)).Begin(), ""
	for size := 19; size > 1; size-- {
		board += fmt.Sprintf("%d ", luck.Draw("board", size))
	}
	require.Equal(t, []string{board + fmt.Sprint(luck.Draw("board", 6))}, blocks(text, "draws"))
}

// members returns the top-level JSON names of a value; nil for a type that marshals itself.
func members(of reflect.Type) (out []string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			out = append(out, members(field.Type)...)
		case name != "" && name != "-":
			out = append(out, name)
		}
	}
	return out
}

func TestThePageHasEveryTypeAndMember(t *testing.T) {
	text := page(t)
	named := regexp.MustCompile(`"((?:table|line|seat|person)\.[a-z-]+\.v\d+)"`)
	var types []string
	for _, folder := range []string{"../../domain", ".."} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range named.FindAllStringSubmatch(string(source), -1) {
				if !strings.HasSuffix(file, "_test.go") && !slices.Contains(types, m[1]) {
					types = append(types, m[1])
				}
			}
		}
	}
	require.GreaterOrEqual(t, len(types), 37)
	for _, typ := range types {
		require.Contains(t, text, typ, "docs/tables/events.txt says nothing of it")
	}
	for _, of := range []any{
		events.Meta{}, events.Due{}, events.Stream{}, record.Header{}, record.Event{}, record.Part{}} {
		for _, name := range members(reflect.TypeOf(of)) {
			require.Regexp(t, "[`\"]"+name+"[`\"]", text, "docs/format.md says nothing of a member of %T", of)
		}
	}
}

// Whatever the page says of a game, it says of today's. Of a game that it has no section about a verifier says that it
// does not know its luck: a game may be added without a page for strangers.
func TestThePageHasTheEditionAndOptionsOfItsGames(t *testing.T) {
	text, described := page(t), 0
	for _, rb := range rulebooks.All() {
		var words struct{ Name string }
		require.NoError(t, json.Unmarshal(rb.Catalogue()["en"], &words))
		_, part, found := strings.Cut(text, ". "+words.Name+"\n")
		if !found {
			continue
		}
		described++
		part, _, _ = strings.Cut(part, "\n## ")
		require.Contains(t, part, "Edition `"+rb.Edition()+"`", rb.Name())
		require.Contains(t, part, "(tables/options.txt)", rb.Name())
	}
	require.GreaterOrEqual(t, described, 3)
}

// tableOf returns the lines of a table that the page links.
func tableOf(t testing.TB, name string) []string {
	t.Helper()
	require.Contains(t, page(t), "(tables/"+name+")")
	text, err := os.ReadFile("../../docs/tables/" + name)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestThePageHasWhatLiesOnTheTable(t *testing.T) {
	text := page(t)
	tiles := tableOf(t, "tiles.txt")
	require.Len(t, tiles, table.TileKinds)
	for id, line := range tiles {
		require.Equal(t, table.TileID(id).String(), strings.Fields(line)[0])
	}
	var source []string
	raw, err := os.ReadFile("../../domain/carcassonne/table/tiles.txt")
	require.NoError(t, err)
	for _, line := range strings.Split(string(raw), "\n") {
		if line != "" && line[0] != '#' {
			source = append(source, line)
		}
	}
	require.Equal(t, source, tiles)

	board := tableOf(t, "island.txt")
	is := island.Isle
	want := []string{"corners of hexes 0 to 18"}
	words := func(list any) string { return strings.Trim(fmt.Sprint(list), "[]") }
	for _, c := range is.Corners {
		want = append(want, words(c))
	}
	want = append(want, "spirals 0 to 5")
	for _, s := range is.Spirals {
		want = append(want, words(s))
	}
	var hexes []string
	for h, terrain := range is.Beginner.Terrain {
		hexes = append(hexes, island.HexWord(terrain, is.Beginner.Tokens[h]))
	}
	want = append(want, "tokens", words(is.Tokens), "harbours", words(is.Standard), "beginner",
		strings.Join(hexes, " "))
	require.Equal(t, want, board)

	var printed []string
	for _, p := range cards.Printings[1:] {
		if p.Row.Kind != cards.EventCard {
			printed = append(printed, fmt.Sprintf("%s %s %d %d", p.Name, p.Set, p.N, p.Moon))
			continue
		}
		line := p.Name + " event"
		for _, c := range p.Row.Copies {
			line += fmt.Sprintf(" %s %d", c.Set, c.N)
		}
		printed = append(printed, line+fmt.Sprintf(", %d half-moons", p.Moon))
	}
	require.Equal(t, printed, tableOf(t, "cards.txt"))
	var lands []string
	for _, r := range cards.Table.Regions {
		for _, n := range r.Drawn {
			lands = append(lands, cards.LandOf(cards.Res(r.Terrain), uint8(n)).Name())
		}
	}
	require.Contains(t, text, "`"+strings.Join(lands, " ")+"`")
}
