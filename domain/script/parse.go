// Package script reads and plays scripts: text files of settings, dictated chance and moves, one per line, that replay
// a game, test a rule or set up a puzzle. docs/notation.md describes the format.
package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Script is a script that was read completely and is well formed. Only playing it shows whether its moves and outcomes
// are possible.
type Script struct {
	Rulebook domain.Rulebook
	Choices  domain.Choices // complete
	Names    []string       // of the seats; the first begins
	Seed     *uint64        // nil: the script names none
	Luck     *domain.Key    // of a table's line; nil: the script names none
	Given    json.RawMessage

	chance []dictated
	again  []Again
	moves  []move
	lines  lines
}

type dictated struct {
	kind string
	domain.Outcome
}

type move struct {
	line int
	seat domain.Seat
	text string
}

// lines holds the line numbers of settings, for faults that only show once everything is read.
type lines struct{ game, given, lastSeat, last int }

// Error says why a script cannot be played, or not to its end: a malformed line, or an impossible dictated outcome.
type Error struct {
	Line int // counted from 1
	Err  error
}

func (e *Error) Error() string {
	var impossible *domain.Impossible
	if errors.As(e.Err, &impossible) {
		return impossible.Error() // its text already names the line
	}
	return fmt.Sprintf("line %d: %v", e.Line, e.Err)
}

// Unwrap returns the cause, such as a *domain.Refusal or a *domain.Impossible.
func (e *Error) Unwrap() error { return e.Err }

// Find finds a rulebook by its game's word.
type Find func(name string) (domain.Rulebook, bool)

// Parse reads a whole script. Every error is an *Error that names its line.
func Parse(src []byte, find Find) (*Script, error) {
	p := parser{find: find, script: &Script{Choices: domain.Choices{}}, options: map[string]int{}}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	for i, text := range strings.Split(string(src), "\n") {
		if err := p.line(i+1, strings.TrimSpace(text)); err != nil {
			return nil, &Error{Line: i + 1, Err: err}
		}
		if strings.TrimSpace(text) != "" {
			p.script.lines.last = i + 1
		}
		p.last = i + 1
	}
	if line, err := p.finish(); err != nil {
		return nil, &Error{Line: line, Err: err}
	}
	return p.script, nil
}

type parser struct {
	find    Find
	script  *Script
	options map[string]int // option to its line
	chance  []dictated     // its kinds are resolved once the game is known
	last    int
}

// line reads one line. The first word alone tells a move from a setting: a setting's word is followed by a space, a
// move's by a colon.
func (p *parser) line(n int, text string) error {
	word, rest := firstWord(text)
	if word != "given" { // which may contain a "#"
		text = withoutComment(text)
		word, rest = firstWord(text)
	}
	set := p.setting(word)
	switch {
	case word == "":
		return nil
	case set == nil:
		return p.move(n, text)
	case word != "chance" && len(p.script.moves) > 0:
		return fmt.Errorf("%s stands after the first move; move it up", word)
	}
	return set(n, rest)
}

func firstWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	return word, strings.TrimSpace(rest)
}

// setting returns the function that reads the setting that begins with a word, or nil.
func (p *parser) setting(word string) func(n int, text string) error {
	return map[string]func(n int, text string) error{
		"game": p.game, "option": p.option, "seat": p.seat, "seed": p.seed, "luck": p.luck, "given": p.given,
		"chance": p.outcome,
	}[word]
}

// withoutComment cuts off a comment: from a "#" at the beginning or after white space.
func withoutComment(text string) string {
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

func (p *parser) outcome(n int, text string) error {
	if text == "" {
		return errors.New("chance without an outcome; write: chance [KIND] WORDS")
	}
	p.chance = append(p.chance, dictated{Outcome: domain.Outcome{Words: text, Line: n}})
	return nil
}

func (p *parser) game(n int, name string) error {
	if p.script.Rulebook != nil {
		return fmt.Errorf("a second game; the first stands in line %d", p.script.lines.game)
	}
	rb, ok := p.find(strings.ToLower(name))
	if !ok {
		return fmt.Errorf("no game %q", name)
	}
	p.script.Rulebook, p.script.lines.game = rb, n
	return nil
}

func (p *parser) option(n int, text string) error {
	words := strings.Fields(text)
	if len(words) != 2 {
		return errors.New("an option is a word and a value; write: option KEY VALUE")
	}
	if first, ok := p.options[words[0]]; ok {
		return fmt.Errorf("option %s stands in line %d already", words[0], first)
	}
	p.options[words[0]] = n
	p.script.Choices[words[0]] = words[1]
	return nil
}

func (p *parser) seat(n int, name string) error {
	first, _, _ := strings.Cut(name, " ")
	switch {
	case name == "":
		return errors.New("seat without a name; write: seat NAME")
	case strings.Contains(name, ":"):
		return errors.New("a seat's name cannot have a colon: it ends the name before a move")
	case p.setting(first) != nil:
		return fmt.Errorf("a seat's name cannot begin with the word %q, which begins a setting", first)
	case p.script.named(name) != domain.Nobody:
		return fmt.Errorf("a second seat named %q", name)
	case isLetter(name) && !strings.EqualFold(name, domain.Seat(len(p.script.Names)).Letter()):
		return fmt.Errorf("a seat's name cannot be the letter of another seat; this one is %s",
			domain.Seat(len(p.script.Names)).Letter())
	case len(p.script.Names) == domain.MaxSeats:
		return fmt.Errorf("more than %d seats", domain.MaxSeats)
	}
	p.script.Names = append(p.script.Names, name)
	p.script.lines.lastSeat = n
	return nil
}

// Moves returns the number of moves in the script.
func (s *Script) Moves() int { return len(s.moves) }

// Seat finds a seat by its name or its letter.
func (s *Script) Seat(name string) (domain.Seat, bool) {
	seat := s.named(name)
	if seat == domain.Nobody && isLetter(name) && int(name[0]|0x20-'a') < len(s.Names) {
		seat = domain.Seat(name[0] | 0x20 - 'a')
	}
	return seat, seat != domain.Nobody
}

// isLetter reports whether a name is the letter of some seat, whether or not the game has that many.
func isLetter(name string) bool {
	return len(name) == 1 && name[0]|0x20 >= 'a' && name[0]|0x20 < 'a'+domain.MaxSeats
}

// named finds a seat by its name.
func (s *Script) named(name string) domain.Seat {
	return domain.Seat(slices.IndexFunc(s.Names, func(known string) bool { return strings.EqualFold(known, name) }))
}

func (p *parser) seed(_ int, text string) error {
	if p.script.Seed != nil {
		return errors.New("a second seed")
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("seed %q is not a whole number from 0 to 2^64-1", text)
	}
	p.script.Seed = &seed
	return nil
}

// luck reads the key of a table's line, or of one draw made with another key.
func (p *parser) luck(_ int, text string) error {
	words := strings.Fields(text)
	var key domain.Key
	if len(words) != 1 && len(words) != 3 || key.UnmarshalText([]byte(words[len(words)-1])) != nil {
		return errors.New("luck is a key of 64 hexadecimal digits; write: luck [PURPOSE NUMBER] KEY")
	}
	if len(words) == 3 {
		k, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not the number of a draw", words[1])
		}
		p.script.again = append(p.script.again, Again{words[0], k, key})
		return nil
	}
	if p.script.Luck != nil {
		return errors.New("a second luck")
	}
	p.script.Luck = &key
	return nil
}

// given reads one JSON object. A comment may follow it; " #" inside one of its strings is part of the string.
func (p *parser) given(n int, text string) error {
	if p.script.Given != nil {
		return fmt.Errorf("a second position; the first stands in line %d", p.script.lines.given)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends too soon")
		}
		return fmt.Errorf("the position is not one line of JSON: %w", err)
	}
	if raw[0] != '{' {
		return errors.New("the position is not a JSON object {…}")
	}
	after := text[dec.InputOffset():]
	if withoutComment(after) != "" {
		return fmt.Errorf("%q stands after the position", strings.TrimSpace(after))
	}
	p.script.Given, p.script.lines.given = raw, n
	return nil
}

func (p *parser) move(n int, text string) error {
	name, words, ok := strings.Cut(text, ":")
	if !ok {
		return fmt.Errorf("%q is no setting, and a move is NAME: MOVE", text)
	}
	seat, ok := p.script.Seat(strings.TrimSpace(name))
	if !ok {
		return fmt.Errorf("no seat is named %q, nor is that a seat's letter; name the seats above: seat NAME",
			strings.TrimSpace(name))
	}
	p.script.moves = append(p.script.moves, move{line: n, seat: seat, text: strings.TrimSpace(words)})
	return nil
}

// finish checks what can only be checked once everything is read, and returns the line of a fault.
func (p *parser) finish() (line int, err error) {
	s := p.script
	if s.Rulebook == nil {
		return p.last, errors.New("no game is named; write: game NAME")
	}
	if s.Luck == nil && len(s.again) > 0 || s.Luck != nil && s.Seed != nil {
		return p.last, errors.New("chance is decided by a seed or by luck KEY, and luck PURPOSE NUMBER " +
			"KEY goes with the latter")
	}
	for key, n := range p.options {
		if _, err := domain.Complete(s.Rulebook, domain.Choices{key: s.Choices[key]}); err != nil {
			return n, fmt.Errorf("option %s %s: %w", key, s.Choices[key], err)
		}
	}
	if s.Choices, err = domain.Complete(s.Rulebook, s.Choices); err != nil {
		return s.lines.game, err
	}
	least, most := s.Rulebook.Seats(s.Choices)
	switch n := len(s.Names); {
	case n == 0:
		return p.last, fmt.Errorf("no seat is named; write: seat NAME (%d to %d seats)", least, most)
	case n < least || n > most:
		return s.lines.lastSeat, fmt.Errorf("%d seats, but %s with these options has %d to %d", n, s.Rulebook.Name(),
			least, most)
	}
	for _, c := range p.chance {
		if c.kind, c.Words, err = Chance(s.Rulebook, c.Words); err != nil {
			return c.Line, err
		}
		s.chance = append(s.chance, c)
	}
	return 0, nil
}

// Chance finds the kind of an outcome from its words. The words may leave the kind out if there is only one.
func Chance(rb domain.Rulebook, words string) (kind, rest string, err error) {
	first, rest, _ := strings.Cut(words, " ")
	first = strings.ToLower(first)
	kinds := rb.ChanceKinds()
	switch {
	case slices.Contains(kinds, first):
		if rest = strings.TrimSpace(rest); rest == "" {
			return "", "", fmt.Errorf("chance %s without an outcome; write: chance %s WORDS", first, first)
		}
		return first, rest, nil
	case len(kinds) == 1:
		return kinds[0], words, nil
	case len(kinds) == 0:
		return "", "", fmt.Errorf("%s has no chance that could be dictated", rb.Name())
	}
	return "", "", fmt.Errorf("chance of no known kind; begin with one of: %s", strings.Join(kinds, ", "))
}
