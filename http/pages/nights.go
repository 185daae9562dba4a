package pages

import (
	"cmp"
	"fmt"
	"strings"

	"posthorn/domain"
)

// A game's drawings bring their colours: what these become on a dark page is a style that the house makes of
// [domain.Extras.Nights]. Pages that show drawings of a game load the style of that game alone, so that what another
// game draws in the same colour does not change.

// nightsOf returns the name of the style of a game's drawings.
func nightsOf(game string) string { return "nights-" + game + ".css" }

// nights writes the style of drawings. Its rules win over those of boards.css, which know only what is a ground.
func nights(list []domain.Night) []byte {
	var always, dark strings.Builder
	for _, n := range list {
		within, day := "", written(n.Day)
		if n.Panel != "" { // on a page, or alone
			within = fmt.Sprintf(":is(.panel.of-%s,svg.%[1]s) ", n.Panel)
		}
		for _, of := range [...]struct {
			name string
			to   domain.Color
		}{{"fill", n.Night}, {"stroke", cmp.Or(n.Line, n.Night)}} {
			if of.to != n.Day {
				fmt.Fprintf(&dark, "%s[%s=%q]{%[2]s:%[4]s}", within, of.name, day, written(of.to))
			}
		}
		if n.Ground {
			around := fmt.Sprintf(":is(.board-box,.panel):has(svg>rect[fill=%q])", day)
			fmt.Fprintf(&always, "%s{background:%s}", around, day)
			fmt.Fprintf(&dark, ":is(svg.board,svg.panel)>rect[fill=%q]{fill:%s}%s{background:%[2]s}", day,
				written(n.Night), around)
		}
	}
	return fmt.Appendf(nil, "%s@media (prefers-color-scheme:dark){%s}", &always, &dark)
}

// written returns a colour as drawings have it, without its opacity.
func written(c domain.Color) string { return fmt.Sprintf("#%06x", uint32(c)>>8) }

// draws notes that the page has drawings of a game.
func (v *visit) draws(game string) {
	if _, ok := v.site.assets[nightsOf(game)]; ok {
		v.Drawn = nightsOf(game)
	}
}
