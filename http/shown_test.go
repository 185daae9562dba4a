package http_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/programtest"
	"posthorn/http/pagetest"
)

var (
	wayOn   = regexp.MustCompile(`<a class="option[^>]*href="([^"#]*)`)
	chosen  = regexp.MustCompile(`class="(?:chosen|what)">([^<]*)<|<a class="option selected"[^>]*>([^<]*)<`)
	amounts = regexp.MustCompile(`\d+ (?:brick|lumber|wool|grain|ore)`)
)

// A button that discards says each card it discards: on itself, or in what stands there as chosen.
func TestADiscardGivesOnlyWhatIsShown(t *testing.T) {
	programtest.Long(t)
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	for name, hand := range map[string]string{"of two kinds": `{"wool":5,"ore":5}`,
		"of three": `{"wool":2,"ore":3,"grain":5}`,
		"of five":  `{"brick":2,"lumber":2,"wool":2,"grain":2,"ore":2}`,
		"uneven":   `{"brick":6,"lumber":1,"wool":2,"grain":1,"ore":6}`} {
		t.Run(name, func(t *testing.T) {
			table := h.given("catan", `{"phase":"discard","active":"B","players":[{"hand":`+hand+`},{},{}]}`, ana, bo,
				carl)
			seen, buttons := map[string]bool{}, 0
			var follow func(at string)
			follow = func(at string) {
				seen[at] = true
				p := ana.get(at)
				require.Equal(t, 200, p.status)
				head := regexp.MustCompile(`<h1[^>]*>([^<]*)</h1>`).FindStringSubmatch(p.body)[1]
				require.Regexp(t, "Which [58] cards do you discard|Play it like this", head, at)
				said := ""
				for _, m := range chosen.FindAllStringSubmatch(p.body, -1) {
					said += m[1] + m[2] + ", "
				}
				for _, f := range pagetest.Forms(t, p.body) {
					for _, b := range f.Buttons {
						move := strings.Join(f.Press(b)["move"], "")
						for _, amount := range amounts.FindAllString(move, -1) {
							require.Contains(t, said+b.Label, amount, "%s plays %s", at, move)
							buttons++
						}
					}
				}
				for _, m := range wayOn.FindAllStringSubmatch(p.body, -1) {
					if next := unescape(m[1]); !seen[next] {
						follow(next)
					}
				}
			}
			follow("/t/" + table)
			require.Greater(t, buttons, 4)
		})
	}
}
