package show

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed symbols.txt
var symbolTable string

// symbols are the drawings' vocabulary: points, resources, what cards are, and the patterns of lands,
// so that no eye depends on colour. In the table "=" begins one, with half its width; a line each
// follows for its shapes: fill, stroke, the stroke's width, outline.
var symbols = func() (list []domain.Symbol) {
	for line := range strings.Lines(symbolTable) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if f[0] == "=" {
			size := symbolNumber(f[2])
			list = append(list, domain.Symbol{ID: f[1], X: -size, Y: -size, W: 2 * size, H: 2 * size})
			continue
		}
		s := &list[len(list)-1]
		s.Shapes = append(s.Shapes, kit.Edged(kit.Filled(kit.Path(f[3]), symbolColor(f[0])), symbolColor(f[1]), symbolNumber(f[2])))
	}
	return list
}()

func symbolNumber(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("rivals: symbols: %v", err))
	}
	return n
}

func symbolColor(text string) domain.Color {
	if text == "-" {
		return 0
	}
	n, err := strconv.ParseUint(text, 16, 24)
	if err != nil {
		panic(fmt.Sprintf("rivals: symbols: %v", err))
	}
	return domain.RGB(uint32(n))
}
