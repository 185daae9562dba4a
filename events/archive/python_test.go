package archive_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/archive"
	"posthorn/events/programtest"
)

// Given a program that shares no line with this one, then it reads what is archived here, and notices a changed byte.
func TestAnIndependentProgramReadsAnArchivedGame(t *testing.T) {
	python := programtest.Python(t)
	h := newHouse(t)
	text := exported(h, finished(h, "rivals"))
	packed, err := archive.Pack(text)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "game"+archive.Ending)
	require.NoError(t, os.WriteFile(file, packed, 0o600))
	out, err := exec.CommandContext(t.Context(), python, "../../docs/unpack.py", file).Output()
	require.NoError(t, err)
	require.Equal(t, string(text), string(out))

	packed[len(packed)/2] ^= 1
	require.NoError(t, os.WriteFile(file, packed, 0o600))
	said, err := exec.CommandContext(t.Context(), python, "../../docs/unpack.py", file).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), "damaged or altered")
}

// What an archived game says can be written in one way only, so that nobody makes another file of the same record; both
// readers refuse any other.
func TestAnArchivedGameIsWrittenInOneWay(t *testing.T) {
	python := programtest.Python(t)
	for name, change := range map[string]struct{ from, to string }{
		"as it is":                      {"", ""},
		"without the last line end":     {"]\n$", "]$"},
		"a stream's number again":       {"\n0\n", "\n0\n0\n"},
		"a stream's number with a zero": {"\n0\n", "\n00\n"},
		"a stream's number at the end":  {"]\n$", "]\n0\n$"},
		"a space in a list":             {"\n[\"table.", "\n[ \"table."},
		"a space at the end of one":     {"]\n[", "] \n["},
		"a letter escaped without need": {"\n[\"table.", "\n[\"\\u0074able."},
		"a line that ends otherwise":    {"]\n[", "]\r\n["},
		"a space in the header":         {"{\"format\":", "{ \"format\":"},
	} {
		packed := retold(t, example(t), change.from, change.to)
		file := filepath.Join(t.TempDir(), "game"+archive.Ending)
		require.NoError(t, os.WriteFile(file, packed, 0o600))
		_, err := archive.Unpack(packed)
		said, failed := exec.CommandContext(t.Context(), python, "../../docs/unpack.py", file).CombinedOutput()
		if change.from == "" {
			require.NoError(t, err)
			require.NoError(t, failed, string(said))
			continue
		}
		require.ErrorIs(t, err, archive.ErrFormat, name)
		require.Error(t, failed, name)
		require.NotContains(t, string(said), "Traceback", name)
	}
}

// retold returns an archived game whose text was changed in one place; $ is its end. All sums fit.
func retold(t *testing.T, packed []byte, from, to string) []byte {
	t.Helper()
	dictionary, err := os.ReadFile("dictionary.txt")
	require.NoError(t, err)
	first := len(archive.Format) + 1
	start := first + 4 + int(binary.BigEndian.Uint32(packed[first:]))
	text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(packed[start:len(packed)-sha256.Size]), dictionary))
	require.NoError(t, err)
	require.Contains(t, string(text)+"$", from)
	told := strings.TrimSuffix(strings.Replace(string(text)+"$", from, to, 1), "$")
	out := bytes.NewBuffer(bytes.Clone(packed[:start]))
	w, err := flate.NewWriterDict(out, flate.BestCompression, dictionary)
	require.NoError(t, err)
	_, err = io.WriteString(w, told)
	require.NoError(t, errors.Join(err, w.Close()))
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...)
}
