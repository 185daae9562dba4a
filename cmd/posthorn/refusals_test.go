package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each script of testdata/refusals.txt is answered as it says there.
func TestScriptsAreRefusedWithTheTruth(t *testing.T) {
	src, err := os.ReadFile("testdata/refusals.txt")
	require.NoError(t, err)
	for _, part := range strings.Split(string(src), "\n== ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		t.Run(name, func(t *testing.T) {
			var script []string
			answers := map[int]string{} // by line
			fault := ""
			for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
				if answer, is := strings.CutPrefix(l, "→ fault "); is {
					fault = answer
				} else if answer, is := strings.CutPrefix(l, "→ "); is {
					answers[len(script)] = answer
				} else {
					script = append(script, l)
				}
			}
			r := program(strings.Join(script, "\n"), "play", "--json", "-")
			if fault != "" {
				require.Equal(t, 2, r.status, r.out)
				require.Contains(t, r.err, fault)
				return
			}
			require.Zero(t, r.status, r.err)
			for _, said := range strings.Split(strings.TrimSpace(r.out), "\n") {
				n, err := strconv.Atoi(strings.Split(strings.TrimPrefix(said, `{"line":`), ",")[0])
				require.NoError(t, err)
				if answer, is := answers[n]; is {
					require.Contains(t, said, `"ok":false,"error":"`+answer)
				} else {
					require.Contains(t, said, `"ok":true`, script[n-1])
				}
			}
		})
	}
}
