package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
)

// rooms yields what is written in the rooms that know no game: programs without their comments, pages, styles, mails.
func rooms(t *testing.T, see func(file, text string)) {
	t.Helper()
	comment := regexp.MustCompile(`(?m)(^|\s)//.*$|(?s:/\*.*?\*/)`)
	for _, room := range []string{"http", "mail", "projections", "events"} {
		err := filepath.WalkDir(filepath.Join("../..", room), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "test/") {
				return err
			}
			switch filepath.Ext(file) {
			case ".go", ".css", ".js", ".html":
				text, err := os.ReadFile(file)
				see(file, comment.ReplaceAllString(string(text), ""))
				return err
			}
			return nil
		})
		require.NoError(t, err)
	}
}

// A game is one folder: what shows it everywhere else does not know what it is called.
func TestNoGameIsNamedOutsideItsFolder(t *testing.T) {
	for _, rb := range rulebooks.All() {
		named := regexp.MustCompile(`(?i)\b` + rb.Name() + `\b`)
		rooms(t, func(file, text string) {
			require.Empty(t, named.FindAllString(text, -1), "%s names %s", file, rb.Name())
		})
	}
}

// A game brings the colours of its drawings, those of the night too: pages and mails have only their own.
func TestNoColourOfAGameIsOutsideItsFolder(t *testing.T) {
	root, err := staticFiles.ReadFile("static/posthorn.css")
	require.NoError(t, err)
	own, color := map[string]bool{}, regexp.MustCompile(`#[0-9a-fA-F]{6}`)
	for _, of := range regexp.MustCompile(`:root\{[^}]*\}`).FindAllString(string(root), -1) {
		for _, c := range color.FindAllString(of, -1) {
			own[strings.ToLower(c)] = true // what a game draws in the house's ink
		}
	}
	require.NotEmpty(t, own)
	for _, c := range []string{
		"#26231e",                       // a board's ground at night, whatever game it is of
		"#fffbf0", "#2f2a23", "#14120f", // the sheet on which a card is read, and its edge
		"#f1e9d8", "#5f584d", "#c3b9a6", // and its letters
	} {
		own[c] = true
	}
	games := map[string]string{}
	for _, rb := range rulebooks.All() {
		for _, n := range rb.Extras().Nights {
			for _, c := range []domain.Color{n.Day, n.Night, n.Line} {
				games[written(c)] = rb.Name()
			}
		}
	}
	require.Greater(t, len(games), 100)
	rooms(t, func(file, text string) {
		for _, c := range color.FindAllString(text, -1) {
			if c = strings.ToLower(c); !own[c] {
				require.Empty(t, games[c], "%s in %s", c, file)
			}
		}
	})
}

// Two games may draw in the same colour: each has a style of its own. Only what differs is said.
func TestTheStyleOfDrawings(t *testing.T) {
	require.Equal(t, `:is(.board-box,.panel):has(svg>rect[fill="#112233"]){background:#112233}`+
		`@media (prefers-color-scheme:dark){[fill="#112233"]{fill:#000001}[stroke="#112233"]{stroke:#000001}`+
		`:is(svg.board,svg.panel)>rect[fill="#112233"]{fill:#000001}`+
		`:is(.board-box,.panel):has(svg>rect[fill="#112233"]){background:#000001}`+
		`:is(.panel.of-hand,svg.hand) [stroke="#445566"]{stroke:#000002}}`,
		string(nights([]domain.Night{{Day: domain.RGB(0x112233), Night: domain.RGB(1), Ground: true},
			{Panel: "hand", Day: domain.RGB(0x445566), Night: domain.RGB(0x445566), Line: domain.RGB(2)}})))
}

// Pages have a place for a panel of each name that any game may use, and style the choices of no game by their keys.
func TestPagesKnowNoPanelOfOneGameAlone(t *testing.T) {
	known := []string{domain.PanelHand, domain.PanelFound, domain.PanelOffers, domain.PanelCosts}
	rooms(t, func(file, text string) {
		if filepath.Ext(file) != ".css" {
			return
		}
		for _, m := range regexp.MustCompile(`\.of-([a-z]+)`).FindAllStringSubmatch(text, -1) {
			require.Contains(t, known, m[1], file)
		}
		require.NotRegexp(t, `href\*=`, text, file)
	})
}
