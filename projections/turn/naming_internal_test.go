package turn

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// called returns the names of choices side by side: places under their own names, and others with none.
func called(places ...string) (names []string) {
	var n node
	for _, place := range places {
		n.next = append(n.next, &node{step: domain.Step{Place: place}})
	}
	n.call(0)
	for _, c := range n.next {
		names = append(names, c.Name)
	}
	return names
}

func TestALetterIsAsShortAsItCanBe(t *testing.T) {
	board := make([]string, 36)
	for i := range board {
		board[i] = fmt.Sprintf("%c%d", 'a'+i%6, i/6+1)
	}
	require.Equal(t, append([]string{"a"}, board...), called(append([]string{""}, board...)...),
		"places have names, and need no letters")
	require.Equal(t, []string{"A", "b", "b1", "c"}, called("A", "", "b1", ""), "a letter that is a place's is left out")
	require.Equal(t, "y", called(make([]string, 25)...)[24])
	require.Equal(t, "aa", called(make([]string, 27)...)[0], "all have as many letters")
	full := make([]string, 26)
	for i := range full {
		full[i] = string(rune('a' + i))
	}
	require.Equal(t, "aa", called(append(full, "")...)[26], "where places have taken all of them")
}
