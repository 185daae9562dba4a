package show

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

func TestEveryCardHasAPictureAFaceOfItsKindAndItsCost(t *testing.T) {
	drawn := map[string]string{}
	for i := range table.Printings[1:] {
		c := table.Card(i + 1)
		row := c.Row()
		of := drawings().faces[row.ID]
		want := map[table.Kind][]string{table.ActionCard: {"action"}, table.CityCard: {"city"},
			table.RegionCard: {"region"}, table.EventCard: {"event"}, table.SettlementCard: {"settlement"}}[row.Kind]
		switch {
		case row.Hero:
			want = []string{"hero"}
		case row.Ship || len(row.Build) > 0 && row.Build[0].Do == "sink":
			want = []string{"ship"}
		}
		require.Contains(t, want, of.kind, c.Name())
		if row.Rate != table.NoRes {
			require.Equal(t, row.Rate.String(), of.sign, "%s: what it ships", c.Name())
		}
		p := newPicture(domain.Sketch{})
		signs := 0
		for _, s := range p.small(c) {
			if strings.HasPrefix(s.Use, "i-") {
				signs++
			}
		}
		require.GreaterOrEqual(t, signs, table.BoolInt(row.Cost.Total() > 0), c.Name())
		look := ""
		for _, s := range drawings().symbols["c-"+row.ID].Shapes {
			for _, g := range s.Path {
				look += string(g.Op)
			}
			look += s.Use
		}
		if other, is := drawn[look]; is && other != row.ID {
			require.Fail(t, "two cards are drawn alike", "%s and %s", row.ID, other)
		}
		drawn[look] = row.ID
	}
}

func TestAFaultyDrawingIsNamed(t *testing.T) {
	for _, c := range []struct{ was, is, says string }{
		{"abbey|settlement|meadow|", "abbey|settlement|desert|", `card "abbey": there is no ground "desert"`},
		{"abbey|settlement|", "abbey|shed|", `card "abbey": there is no face "shed"`},
		{"abbey|settlement|meadow|tower 32,66", "abbey|settlement|meadow|turret 32,66",
			`card "abbey": part "turret 32,66 x.82 c=stone": there is no part "turret"`},
		{"tower 32,66 x.82 c=stone;steep 32,27 x.82 c=slate", "tower 32,66 x.82 c=stone;steep 32,27 x.82 c=beige",
			`card "abbey": part "steep 32,27 x.82 c=beige": there is no colour "beige"`},
		{"tower 32,66 x.82 c=stone;steep 32,27", "tower 32,66 x.82 c=stone;steep 32,north",
			`card "abbey": part "steep 32,north x.82 c=slate": place:`},
		{"tower 32,66 x.82 c=stone;steep", "tower 32,66 .82 c=stone;steep",
			`card "abbey": part "tower 32,66 .82 c=stone": ".82" is neither`},
		{"|2:1 gold", "|2:1 silver", `card "gold_ship": medal "2:1 silver": there is no sign "silver"`},
		{"\nabbey|", "\nmonastery|", `card "abbey": it has no line`},
		{"\nabbey|", "\nlibrary|", `card "library": there are two`},
	} {
		rows := strings.Replace(table.Pictures, c.was, c.is, 1)
		require.NotEqual(t, table.Pictures, rows, c.was)
		_, err := readArt(coloursText, partsText, groundsText, signsText, rows)
		require.ErrorContains(t, err, c.says)
	}
	_, err := readArt(coloursText, strings.Replace(partsText, "c ink 1.3 R -17 -24 34 24", "c ink 1.3 R -17 -24 34", 1),
		groundsText, signsText, table.Pictures)
	require.ErrorContains(t, err, `part "body": "c ink 1.3 R -17 -24 34": outline`)
	_, err = readArt(strings.Replace(coloursText, "red B5523B", "red D0A849", 1), partsText, groundsText, signsText,
		table.Pictures)
	require.ErrorContains(t, err, `"straw" is the same as "red"`)
}

// The mark for reading a card lies on its edge: on none of its words, its cost, its points or anything else to read
// there.
func TestWhereACardIsReadCoversNothingOfIt(t *testing.T) {
	for i := range table.Printings[1:] {
		c := table.Card(i + 1)
		p := newPicture(domain.Sketch{})
		p.reader("h-1", area{0, 0, cardW, cardH})
		require.Len(t, p.scene.Shapes, 1)
		at := p.scene.Shapes[0].At
		for _, s := range p.small(c) {
			var wide, high float64
			switch {
			case s.Words.Key != "":
				wide, high = s.Wide/2, float64(max(s.Lines, 1))*s.Size/2
			case s.Text != "":
				wide, high = s.Size*.3*float64(len(s.Text)), s.Size/2
			case strings.HasPrefix(s.Use, "i-"):
				wide, high = 13*s.Scale, 13*s.Scale
			case strings.HasPrefix(s.Use, "c-"): // from its upper left corner
				wide, high = 55*s.Scale, 40*s.Scale
				s.At.X, s.At.Y = s.At.X+wide, s.At.Y+high
			default:
				continue
			}
			apart := s.At.X+wide <= at.X-readR || s.At.X-wide >= at.X+readR || s.At.Y+high <= at.Y-readR ||
				s.At.Y-high >= at.Y+readR
			require.True(t, apart, "%s: %s%s%s", c.Name(), s.Words.Key, s.Text, s.Use)
		}
	}
}
