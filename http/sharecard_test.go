package http_test

import (
	"bytes"
	"html"
	"image/png"
	nethttp "net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/programtest"
	"posthorn/projections/words"
)

// shared finds the address of the picture that a page names for programs that show addresses.
var shared = regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`)

func TestAFinishedGameHasAPictureToShare(t *testing.T) {
	programtest.Long(t)
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	require.NoError(t, h.people.SetName(t.Context(), ana.id, "Żaneta"))
	require.NoError(t, h.people.SetName(t.Context(), bo.id, "李明"))
	for _, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		table := h.table(game, ana, bo)
		path := "/t/" + table
		require.Equal(t, 404, ana.get(path+"/card.png").status, "while it is played there is none")
		require.NotRegexp(t, shared, ana.get(path).body)
		require.NotRegexp(t, shared, stranger.get(path+"/story").body)
		h.playedOut(table)
		for _, lang := range words.Languages {
			drawn := map[string]bool{}
			for _, at := range []string{path, path + "/story"} {
				_, _, page := stranger.wire(at, func(r *nethttp.Request) { r.Header.Set("Accept-Language", lang) })
				require.Contains(t, page, `<meta name="twitter:card" content="summary_large_image">`, at)
				require.Contains(t, page, `<meta property="og:title"`, at)
				require.Contains(t, page, `<meta property="og:image:width" content="1200">`, at)
				require.Contains(t, page, `<meta property="og:image:height" content="630">`, at)
				require.Regexp(t, `<meta property="og:image:alt" content="[^"]*Żaneta[^"]*: \d+\.`, page, at)
				address := html.UnescapeString(shared.FindStringSubmatch(page)[1])
				require.True(t, strings.HasPrefix(address, h.web.URL+path+"/card.png?lang="+lang), address)
				res, _, data := stranger.wire(strings.TrimPrefix(address, h.web.URL))
				require.Equal(t, 200, res.StatusCode)
				require.Equal(t, "image/png", res.Header.Get("Content-Type"))
				require.Contains(t, res.Header.Get("Cache-Control"), "public")
				require.LessOrEqual(t, len(data), 150_000, "%s in %s", game, lang)
				picture, err := png.Decode(strings.NewReader(data))
				require.NoError(t, err)
				require.Equal(t, 1200, picture.Bounds().Dx())
				require.Equal(t, 630, picture.Bounds().Dy())
				drawn[data] = true
				if dir := os.Getenv("POSTHORN_CARDS"); dir != "" {
					require.NoError(t, os.WriteFile(filepath.Join(dir, game+"-"+lang+".png"), []byte(data), 0o600))
				}
				_, _, owns := ana.wire(strings.TrimPrefix(address, h.web.URL))
				require.True(t, bytes.Equal([]byte(data), []byte(owns)), "it is the same for everybody")
				tag := res.Header.Get("ETag")
				res, sent, _ := stranger.wire(strings.TrimPrefix(address, h.web.URL), func(r *nethttp.Request) {
					r.Header.Set("If-None-Match", tag)
				})
				require.Equal(t, 304, res.StatusCode)
				require.Zero(t, sent)
			}
			require.Len(t, drawn, 1, "one picture of a game and a language")
		}
	}
}

// What not everybody may see has no picture, not for its own people either: other programs would keep and show it.
func TestAGameThatIsItsPeoplesHasNoPictureToShare(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("tiny", ana, bo)
	study := h.study(table, ana)
	h.playedOut(table)
	h.playedOut(study)
	require.Equal(t, 200, stranger.get("/t/"+table+"/card.png").status)
	for _, b := range []*browser{ana, bo, stranger} {
		require.Equal(t, 404, b.get("/t/"+study+"/card.png").status)
	}
	for _, at := range []string{"", "/story"} {
		p := ana.get("/t/" + study + at)
		require.Equal(t, 200, p.status)
		require.NotRegexp(t, shared, p.body)
	}
	require.NotContains(t, ana.get("/t/"+study+"/story").body, "card.png")
}

// The end of a game shows what everybody's points come from: a bar for each, whose parts add up to the points.
func TestTheEndShowsWhatThePointsComeFrom(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		table := h.table(game, ana, bo)
		require.NotContains(t, ana.get("/t/"+table).body, `class="sources"`)
		h.playedOut(table)
		look := h.look(table)
		final := look.Rulebook.Standing(look.Line.State, domain.Referee).Final
		for _, at := range []string{"", "/story"} {
			page := stranger.get("/t/" + table + at).body
			bars := regexp.MustCompile(`class="sources" role="img" aria-label="([^"]+)"`).FindAllStringSubmatch(page, -1)
			var sums []int
			for _, b := range bars {
				sum := 0
				for _, part := range strings.Split(b[1], ", ") {
					_, n, _ := strings.Cut(part, ": ")
					sum += number(t, n)
				}
				sums = append(sums, sum)
			}
			some := slices.DeleteFunc(slices.Clone(final), func(n int) bool { return n == 0 })
			require.ElementsMatch(t, some, sums, "%s%s", game, at)
			require.Contains(t, page, `<ul class="kinds">`)
			require.NotRegexp(t, `\bfrom\.[a-z]`, page, "its kinds have names")
			if at == "" && game != "carcassonne" { // where everything may be scored at the end
				_, most, found := strings.Cut(page, "What decided it")
				require.True(t, found, game)
				most, _, _ = strings.Cut(most, "</ol>")
				links := strings.Count(most, `href="/t/`+table+`/line/`)
				require.Positive(t, links, game)
				require.LessOrEqual(t, links, 3)
			}
		}
	}
}
