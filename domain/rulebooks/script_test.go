package rulebooks

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/script"
)

// FuzzScript: any text is a script that plays, or a fault at a line. Nothing panics, and the moves from the last
// position can be listed.
func FuzzScript(f *testing.F) {
	files, err := filepath.Glob("../*/testdata/*.script")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(src)
	}
	f.Add([]byte("game rivals\noption play gold\nseat Ana\nseat Bo\nseed 4\ngiven " +
		"{\"seats\":[{\"hand\":[\"brigitta\",\"reiner\"]},{}]}\nchance dice 4 harvest\nA: play brigitta 4 " +
		"reiner\nAna: gain wool\nBo: gain ore\nAna: end"))
	f.Add([]byte("game catan\nseat Ana\nseat Ask\nseat Cy\nseed 1\ngiven " +
		"{\"phase\":\"main\",\"players\":[{\"hand\":{\"wool\":4}}]}\nAna: offer wool for ore to " +
		"Ask\nAna: bank 4 wool brick"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 8_000 {
			return
		}
		s, err := script.Parse(src, Named)
		var fault *script.Error
		if err != nil {
			require.True(t, errors.As(err, &fault))
			require.Positive(t, fault.Line)
			return
		}
		for r, err := range s.Play(domain.NewThrowaway(1)) {
			if err != nil {
				require.True(t, errors.As(err, &fault))
				return
			}
			_, err = r.AppendJSON(nil, nil)
			require.NoError(t, err)
			r.Told()
			for seat := range s.Names {
				r.As(domain.ViewOf(domain.Seat(seat)))
				r.Told()
			}
		}
	})
}
