package show

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

//go:embed drawn/symbols.txt
var drawn string

// symbols are defined once and used often: the six terrains, the five icons, the robber. They are part of the program,
// so reading panics on an error.
var symbols = func() (list []domain.Symbol) {
	for block := range strings.SplitSeq(drawn, "\n\n") {
		lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(block), "\n"), func(l string) bool {
			return l[0] == '#'
		})
		if len(lines) > 0 {
			list = append(list, readSymbol(strings.Fields(lines[0]), lines[1:]))
		}
	}
	return list
}()

// icons are only the symbols of the resources.
var icons = slices.DeleteFunc(slices.Clone(symbols), func(s domain.Symbol) bool {
	return !strings.HasPrefix(s.ID, "icon-")
})

// readSymbol reads one symbol: a pattern that fills a hex, or a figure.
func readSymbol(head, lines []string) domain.Symbol {
	name, word, _ := strings.Cut(head[0], "-")
	kind := table.Desert
	if r, ok := table.ResourceNamed(word); ok {
		kind = table.Terrain(r)
	}
	var figures [2][]domain.Shape // the usual figure, and the one that now and then replaces it
	now, every, from := 0, 1, 1
	for _, l := range lines {
		f := strings.Fields(l)
		if f[0] == "every" {
			now, every, from = 1, int(number(f[1])), int(number(f[3]))
			continue
		}
		s := domain.Shape{Fill: colourOf(f[0], kind), Stroke: colourOf(f[1], kind), Width: number(f[2])}
		if f[3] == "ellipse" {
			s.Path = domain.Ellipse(number(f[4]), number(f[5]), number(f[6]), number(f[7]))
		} else {
			s.Path = kit.Path(strings.Join(f[3:], " "))
		}
		figures[now] = append(figures[now], s)
	}
	switch name {
	case "hex":
		shapes := []domain.Shape{
			hexPath(domain.Point{}, hexSide).Filled(colSand),
			hexPath(domain.Point{}, hexSide-1.6).Filled(colTerrain[kind]),
		}
		for i, p := range around(number(head[1]), number(head[2]), number(head[3])) {
			which := figures[0]
			if i%every == from {
				which = figures[1]
			}
			for _, s := range which {
				s.Path = moved(s.Path, p)
				shapes = append(shapes, s)
			}
		}
		return domain.Symbol{ID: head[0], Shapes: shapes, X: -hexSide, Y: -hexSide, W: 2 * hexSide, H: 2 * hexSide}
	case "icon":
		return domain.Symbol{ID: head[0], Shapes: figures[0], X: -13, Y: -13, W: 26, H: 26}
	}
	return domain.Symbol{ID: head[0], Shapes: figures[0], X: -14, Y: -24, W: 28, H: 46}
}

func number(word string) float64 {
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic(fmt.Sprintf("catan: symbols: %v", err))
	}
	return n
}

// colourOf reads a colour of the symbol of a kind; "-" is none.
func colourOf(word string, kind table.Terrain) domain.Color {
	if word == "-" {
		return 0
	}
	word, alpha, thin := strings.Cut(word, "@")
	c, ok := map[string]domain.Color{
		"ink": colInk, "paper": colPaper, "soft": colSoft, "wood": colWood, "white": colWhite, "robber": colRobber,
		"terrain": colTerrain[kind], "pattern": colPattern[kind],
	}[word]
	if !ok {
		n, err := strconv.ParseUint(word, 16, 24)
		if err != nil {
			panic(fmt.Sprintf("catan: symbols: %v", err))
		}
		c = domain.RGB(uint32(n))
	}
	if thin {
		c = c.Alpha(uint8(number(alpha)))
	}
	return c
}

// around returns places for a pattern inside a hex, on a grid with every other row shifted, that leave the middle free
// for the token.
func around(dx, dy, margin float64) []domain.Point {
	var list []domain.Point
	side, shift := hexSide-margin, 0.0
	for y := -hexSide; y <= hexSide; y += dy {
		for x := -4*dx + shift; x <= 4*dx; x += dx {
			beside, above := math.Abs(x), math.Abs(y)
			if math.Hypot(x, y) >= 22 && beside <= side*math.Sqrt(3)/2 && above <= side-beside/math.Sqrt(3) {
				list = append(list, domain.Pt(x, y))
			}
		}
		shift = dx/2 - shift
	}
	return list
}
