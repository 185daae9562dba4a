package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// recordOf makes a record's file: the header of the page's example, and one line.
func recordOf(header, line string) []byte {
	text := header + "\n" + line + "\n"
	return fmt.Appendf(nil, "%s{\"sum\":\"%x\"}\n", text, sha256.Sum256([]byte(text)))
}

// sumOf returns the digits of a record's sum.
func sumOf(file []byte) []byte {
	sum, _, _ := bytes.Cut(file[bytes.LastIndex(file, []byte(`{"sum":"`))+len(`{"sum":"`):], []byte(`"`))
	return sum
}

// readingOf returns the result of reading a record: empty, or a kind of fault.
func readingOf(t *testing.T, file []byte) string {
	_, err := record.Read(bytes.NewReader(file))
	var fault *record.Fault
	switch {
	case err == nil:
		return ""
	case errors.As(err, &fault):
		kind, ok := kindOf(faultKinds(t), fault.What)
		require.True(t, ok, fault.What)
		return kind.kind
	default:
		require.ErrorIs(t, err, record.ErrFormat)
		return "not-a-record"
	}
}

// fileText writes a file as a vector has it: each byte as the character with that number.
func fileText(file []byte) string {
	letters := make([]rune, len(file))
	for i, b := range file {
		letters[i] = rune(b)
	}
	return string(letters)
}

func lineVectors(t *testing.T) (out []vector) {
	lines, _ := pageRecord(t)
	_, f := pageRecord(t)
	f.Header.Streams, f.Header.Heads = f.Header.Streams[:1], []string{} // shorter
	short, err := json.Marshal(f.Header)
	require.NoError(t, err)
	header, line := string(short), lines[1]
	require.Contains(t, header, `"viewer":"everything"`)
	change := func(text, from, to string) string {
		require.Contains(t, text, from)
		return strings.Replace(text, from, to, 1)
	}
	for _, c := range []struct{ name, line string }{
		{"as it is", line}, {"a space between members", change(line, `","version"`, `", "version"`)},
		{"a space in the public part", change(line, `{"opener":`, `{"opener": `)},
		{"a space in a text of it", change(line, `"weekly"`, `"week ly"`)},
		{"a space in meta", change(line, `"meta":{`, `"meta":{ `)},
		{"a capital digit in a hash", change(line, `"hash":"66c7`, `"hash":"66C7`)},
		{"a part's member twice", change(line, `"to":"-"`, `"to":"-","to":"-"`)},
		{"a part with a member that is not listed", change(line, `"to":"-"`, `"to":"-","more":1`)},
		{"spare bits of base64", change(line, `LloI7E=`, `LloI7F=`)},
		{"a short escape", change(line, `"codec":"json"`, `"codec":"\b\f\n\r\t"`)},
		{"a long escape where there is a short one", change(line, `"codec":"json"`, `"codec":"\u000a"`)},
		{"an escape without a short one", change(line, `"codec":"json"`, `"codec":"\u001f\u2028"`)},
		{"an escape in capitals", change(line, `"codec":"json"`, `"codec":"\u001F"`)},
		{"an escaped slash", change(line, `"codec":"json"`, `"codec":"\/"`)},
		{"letters that need no escape", change(line, `"codec":"json"`, "\"codec\":\"<&>\u007f\"")},
		{"capital digits", change(line, `"command":"0e`, `"command":"0E`)},
		{"another order", change(change(line, `"type":"table.opened.v1",`, ``), `"codec":"json",`,
			`"codec":"json","type":"table.opened.v1",`)},
		{"a member that is not listed", change(line, `"codec":"json",`, `"codec":"json","more":1,`)},
		{"a member twice", change(line, `"codec":"json",`, `"codec":"json","codec":"json",`)},
		{"a member's name in capitals", change(line, `"codec"`, `"Codec"`)},
		{"no command", change(line, `"command":"0e664d1e1c5426e21af4cca147a6d9f9",`, ``)},
		{"a number as text", change(line, `"version":1`, `"version":"1"`)},
		{"a number with a point", change(line, `"version":1`, `"version":1.0`)},
		{"a number with a power", change(line, `"version":1`, `"version":1e0`)},
		{"minus zero", change(line, `"at":1767323165000`, `"at":-0`)},
		{"a negative time", change(line, `"at":1767323165000`, `"at":-1`)},
		{"a negative version", change(line, `"version":1`, `"version":-1`)},
		{"a short name", change(line, `"stream":"2e98`, `"stream":"98`)},
		{"null in place of a list", change(lines[2], `,"hash"`, `,"parts":null,"hash"`)},
		{"a list of nothing", change(lines[2], `,"hash"`, `,"parts":[],"hash"`)},
		{"an audience out of order", change(line, `"to":"-"`, `"to":"BA"`)},
		{"an audience of nobody as empty text", change(line, `"to":"-"`, `"to":""`)},
		{"a letter that is escaped without need", change(line, `"weekly"`, `"w\u0065ekly"`)},
		{"a letter escaped in a type", change(line, `"type":"table`, `"type":"t\u0061ble`)},
		{"base64 without padding", change(line, `LloI7E=`, `LloI7E`)},
		{"an audience of another letter", change(line, `"to":"-"`, `"to":"AZ"`)},
		{"an audience twice", change(line, `"to":"-"`, `"to":"AA"`)},
		{"an audience of null", change(line, `"to":"-"`, `"to":null`)},
		{"no public part", change(lines[2], `"data":{`, `"data":null,"x":{`)},
		{"a list as public part", change(lines[2], `"data":{`, `"data":[],"x":{`)},
		{"a type of null", change(lines[2], `"type":"table.joined.v1"`, `"type":null`)},
		{"a list of null", change(line, `"parts":[`, `"parts":[null,`)}, {"an array", `[]`}, {"no JSON", `{"stream"`},
		{"nothing", ``}, {"white space behind", line + " "},
		{"a carriage return behind", line + "\r"}, {"no UTF-8", change(line, `"weekly"`, "\"week\xff\"")},
		{"half a surrogate pair", change(line, `"weekly"`, `"week\ud800"`)},
		{"NaN", change(line, `"version":1`, `"version":NaN`)},
	} {
		out = append(out, vector{"name": c.name, "file": fileText(recordOf(header, c.line)),
			"fault": readingOf(t, recordOf(header, c.line))})
	}
	for _, c := range []struct{ name, header string }{
		{"the header with a member that is not listed", change(header, `"edition":`, `"more":1,"edition":`)},
		{"the header with a member twice", change(header, `"edition":`, `"edition":"1","edition":`)},
		{"the header with a space", change(header, `,"edition"`, `, "edition"`)},
		{"the header with spare bits in its key", change(header, `Ecg=`, `Ech=`)},
		{"the header with a stream's member twice", change(header, `"kind":`, `"kind":"line","kind":`)},
		{"the header with a stream's member that is not listed", change(header, `"kind":`, `"more":1,"kind":`)},
		{"the header of another format", change(header, `posthorn-record-1`, `posthorn-record-2`)},
		{"the header at an hour of another zone", change(header, `Z","key"`, `+01:00","key"`)},
		{"the header without receipts", change(header, `"receipts":[]`, `"receipts":null`)},
		{"the header with a zone of zero hours", change(header, `Z","key"`, `+00:00","key"`)},
		{"the header with no time", change(header, `Z","key"`, `","key"`)},
		{"the header with a short key", change(header, `"key":"`, `"key":"AAAA","x":"`)},
		{"the header with parts of a second", change(header, `Z","key"`, `.5Z","key"`)},
	} {
		out = append(out, vector{"name": c.name, "file": fileText(recordOf(c.header, line)),
			"fault": readingOf(t, recordOf(c.header, line))})
	}
	whole := recordOf(header, line)
	for _, c := range []struct {
		name string
		file []byte
	}{
		{"without the last line's end", whole[:len(whole)-1]},
		{"without the sum", whole[:bytes.LastIndex(whole, []byte(`{"sum"`))]},
		{"with an empty line behind", append(bytes.Clone(whole), '\n')},
		{"another sum", bytes.Replace(whole, []byte(`"weekly"`), []byte(`"daily"`), 1)}, {"nothing at all", nil},
		{"a sum in capitals", bytes.ReplaceAll(bytes.Clone(whole), sumOf(whole), bytes.ToUpper(sumOf(whole)))},
		{"a sum of other letters", bytes.ReplaceAll(whole, sumOf(whole), bytes.Repeat([]byte("g"), 64))},
		{"a sum of other digits", bytes.ReplaceAll(whole, sumOf(whole), bytes.Repeat([]byte("1"), 64))},
		{"a short sum", bytes.ReplaceAll(whole, sumOf(whole), sumOf(whole)[1:])},
		{"a sum without a word", bytes.Replace(whole, []byte(`{"sum":"`), []byte(`{"sum":null,"x":"`), 1)},
		{"a sum with a space", bytes.Replace(whole, []byte(`{"sum":"`), []byte(`{"sum": "`), 1)},
		{"a sum with a member that is not listed",
			slices.Concat(bytes.TrimSuffix(whole, []byte("}\n")), []byte(",\"x\":1}\n"))},
	} {
		out = append(out, vector{"name": c.name, "file": fileText(c.file), "fault": readingOf(t, c.file)})
	}
	return out
}

func saidTwiceVectors(t *testing.T) (out []vector) {
	for _, c := range []struct {
		text  string
		twice bool
	}{
		{`{}`, false}, {`{"a":1,"b":2}`, false}, {`{"a":1,"a":1}`, true}, {`{"a":1,"A":1}`, true},
		{`{"A":1,"A":1}`, true}, {`{"Rg":1,"RG":2}`, false}, {`{"Rg":1,"RG":"2"}`, true},
		{`{"Rg":1,"RG":2,"b":1}`, true},
		{`{"x":[{"a":{"b":1,"B":1}}]}`, true}, {`{"x":[{"a":1},{"a":1}]}`, false}, {`{"a":1,"\u0061":2}`, true},
		{`{"seat":0,"ſeat":1}`, true}, {`{"k":0,"K":1}`, true}, {`{"ß":0,"ss":1}`, false}, {`{"ß":0,"ẞ":1}`, true},
		{`{"i":0,"İ":1}`, false},
		{`{"i":0,"ı":1}`, false}, {`{"Σ":0,"ς":1}`, true}, {`{"Ä":1,"ä":1}`, true}, {`{"":1,"":2}`, true},
	} {
		lines, f := pageRecord(t)
		e := f.Events[1]
		e.Data = json.RawMessage(c.text)
		said := claim(t, lines, e)
		require.Equal(t, c.twice, said == "said-twice", "%s: %s", c.text, said)
		out = append(out, vector{"name": c.text, "text": c.text, "twice": c.twice})
	}
	return out
}

// claim returns the kind of fault that verifying finds in the page's example with another second event, rehashed.
func claim(t *testing.T, lines []string, e record.Event) string {
	t.Helper()
	f, err := record.Read(strings.NewReader(strings.Join(lines, "\n")))
	require.NoError(t, err)
	e.Hash = events.ChainHash(f.Events[0].Hash,
		&events.Record{Stream: e.Stream, Version: e.Version, Type: e.Type, Codec: e.Codec, At: time.UnixMilli(e.At),
			Command: e.Command, Meta: e.Meta, Data: e.Data})
	f.Events[1] = e
	_, err = record.Verify(f, desktest.Named)
	var fault *record.Fault
	require.ErrorAs(t, err, &fault)
	kind, ok := kindOf(faultKinds(t), fault.What)
	require.True(t, ok, fault.What)
	return kind.kind
}
