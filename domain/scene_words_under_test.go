package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// A caption is equally far from what it stands below, whether it takes one line or two.
func TestLinesGoBelowTheFirstOrAboutTheMiddle(t *testing.T) {
	lines := func(under bool, text string) (at []float64) {
		s := domain.Scene{Shapes: []domain.Shape{
			{Words: domain.S("caption"), At: domain.Point{Y: 100}, Size: 10, Wide: 40, Lines: 2, Under: under}}}
		said := s.Said(func(domain.Say) string { return text }).Shapes[0]
		for _, line := range said.Group {
			at = append(at, said.At.Y+line.At.Y)
		}
		if said.Text != "" {
			at = append(at, said.At.Y)
		}
		return at
	}
	require.Equal(t, []float64{100}, lines(true, "feast"))
	two := lines(true, "rich harvest")
	require.Len(t, two, 2)
	require.Equal(t, 100.0, two[0])
	require.Greater(t, two[1], 108.0)
	about := lines(false, "rich harvest")
	require.InDelta(t, 200, about[0]+about[1], 1e-9)
}
