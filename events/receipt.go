package events

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ErrReceipt is returned for a receipt that is malformed or not signed with that key.
var ErrReceipt = errors.New("not a receipt of this server")

// Receipt says where a stream stood, with the whole 256-bit head of its chain. Once signed, the server cannot deny it
// and nobody can forge it.
type Receipt struct {
	Table   Name   `json:"table"`
	Stream  Name   `json:"stream"`
	Version uint64 `json:"version"`
	Hash    Hash   `json:"hash"`
}

const receiptFormat = "posthorn-receipt-1"

// receiptLine is a whole receipt: names, version, hash, and a signature of 64 bytes.
var receiptLine = regexp.MustCompile(receiptFormat +
	`:[0-9a-f]{32}:[0-9a-f]{32}:[0-9]{1,20}:[0-9a-f]{64}:[A-Za-z0-9_-]{86}`)

// What mail programs do to a line: they put quote marks before it, soft breaks after it, and tags in it.
var (
	quoteMarks = regexp.MustCompile(`(?m)^[>|\s]+`)
	softBreaks = regexp.MustCompile(`=\r?\n`)
	markup     = regexp.MustCompile(`<[^<>]*>`)
	// encoded matches a body that a mail program wrote in base64, as they do for text that is not ASCII.
	encoded = regexp.MustCompile(`(?m)(?:^[A-Za-z0-9+/]{56,76}\r?$\n?)+(?:^[A-Za-z0-9+/]+={0,2}\r?$)?`)
)

// decoded returns a text followed by the decoded form of any base64 in it.
func decoded(text string) string {
	out := []string{text}
	for _, block := range encoded.FindAllString(text, -1) {
		body := strings.Join(strings.Fields(block), "")
		if plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "=")); err == nil &&
			strings.Contains(string(plain), receiptFormat) {
			out = append(out, string(plain))
		}
	}
	return strings.Join(out, "\n")
}

// FindReceipts finds the receipts in a text, each once, however a mail program wrapped or quoted them. broken counts
// the others that start in the text but are incomplete.
func FindReceipts(text string) (lines []string, broken int) {
	joined := func(s string) string {
		s = quoteMarks.ReplaceAllString(softBreaks.ReplaceAllString(s, ""), "")
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, s)
	}
	text = decoded(text)
	plain, bare := joined(text), joined(markup.ReplaceAllString(text, ""))
	for _, s := range []string{plain, bare} {
		for _, line := range receiptLine.FindAllString(s, -1) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	pieces := func(s string) (n int) {
		for _, rest := range strings.Split(s, receiptFormat)[1:] {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(receiptFormat+rest, l) }) {
				n++
			}
		}
		return n
	}
	return lines, min(pieces(plain), pieces(bare))
}

func (r Receipt) text() string {
	return strings.Join([]string{receiptFormat, r.Table.String(), r.Stream.String(), strconv.FormatUint(r.Version, 10),
		r.Hash.String()}, ":")
}

// Sign writes a signed receipt: one line of text without spaces.
func (k *Keys) Sign(r Receipt) string {
	t := r.text()
	return t + ":" + base64.RawURLEncoding.EncodeToString(ed25519.Sign(k.sign, []byte(t)))
}

// SignNote signs the text of a checkpoint (see events/checkpoint) with the receipts' key. It refuses a text that
// could pass for a receipt.
func (k *Keys) SignNote(text []byte) ([]byte, error) {
	if strings.HasPrefix(string(text), receiptFormat) {
		return nil, ErrReceipt
	}
	return ed25519.Sign(k.sign, text), nil
}

// PublicKey returns the key that checks receipts.
func (k *Keys) PublicKey() ed25519.PublicKey { return k.sign.Public().(ed25519.PublicKey) }

// ReadReceipt reads a signed receipt and checks its signature. A receipt has one text: it takes no other.
func ReadReceipt(key ed25519.PublicKey, line string) (Receipt, error) {
	r, err := ParseReceipt(line)
	if err != nil {
		return Receipt{}, err
	}
	line = strings.TrimSpace(line)
	text := line[:strings.LastIndexByte(line, ':')]
	sig, err := base64.RawURLEncoding.DecodeString(line[len(text)+1:])
	if err != nil || line != r.text()+":"+base64.RawURLEncoding.EncodeToString(sig) || !Proves(key) ||
		!ed25519.Verify(key, []byte(text), sig) {
		return Receipt{}, ErrReceipt
	}
	return r, nil
}

// ParseReceipt reads what a receipt says, but does not check who signed it.
func ParseReceipt(line string) (r Receipt, err error) {
	f := strings.Split(strings.TrimSpace(line), ":")
	if len(f) != 6 || f[0] != receiptFormat {
		return Receipt{}, ErrReceipt
	}
	if r.Version, err = strconv.ParseUint(f[3], 10, 64); err != nil {
		return Receipt{}, fmt.Errorf("version: %w", ErrReceipt)
	}
	for i, u := range []interface{ UnmarshalText([]byte) error }{&r.Table, &r.Stream} {
		if err := u.UnmarshalText([]byte(f[1+i])); err != nil {
			return Receipt{}, fmt.Errorf("name: %w", ErrReceipt)
		}
	}
	if err := r.Hash.UnmarshalText([]byte(f[4])); err != nil {
		return Receipt{}, fmt.Errorf("hash: %w", ErrReceipt)
	}
	return r, nil
}
