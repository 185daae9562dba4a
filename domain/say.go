package domain

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Say is something to say, as a value: a key of a catalogue and its arguments. Arguments are strings (words of the
// rulebook that stay as they are), ints, a [Seat] (rendered as the holder's name), another Say, or a []Seat or []Say
// (rendered and joined with commas). The int "n" counts: it chooses the plural, and is written as [Number] does; other
// ints are written as in notation ("-1"). A string argument named "word" or ending in "_word" is itself a catalogue
// key.
type Say struct {
	Key  string `json:"key"`
	Args Args   `json:"args,omitempty"`
}

// Args are the named arguments of a Say or a Refusal.
type Args map[string]any

// S makes a Say; pairs alternate name and value.
func S(key string, pairs ...any) Say {
	return Say{Key: key, Args: argsOf(pairs)}
}

func argsOf(pairs []any) Args {
	if len(pairs) == 0 {
		return nil
	}
	a := make(Args, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			name = fmt.Sprint(pairs[i])
		}
		a[name] = pairs[i+1]
	}
	return a
}

// Number writes a number as people read it, with the minus sign of print below zero: "−3".
func Number(n int) string { return strings.Replace(strconv.Itoa(n), "-", "−", 1) }

// Refusal is why a command is refused: a reason code with arguments. The catalogue key is "refuse." followed by the
// code. A refusal changes nothing.
type Refusal struct {
	Code string
	Args Args
}

// Refuse makes a refusal; pairs alternate name and value.
func Refuse(code string, pairs ...any) *Refusal {
	return &Refusal{Code: code, Args: argsOf(pairs)}
}

// Error returns the code and its arguments in a form for logs and scripts; people read the catalogue's sentence
// instead.
func (r *Refusal) Error() string {
	if len(r.Args) == 0 {
		return r.Code
	}
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(r.Args)) {
		parts = append(parts, fmt.Sprintf("%s=%v", n, r.Args[n]))
	}
	return r.Code + " (" + strings.Join(parts, ", ") + ")"
}

// Say returns the refusal as a sentence to render.
func (r *Refusal) Say() Say { return Say{Key: "refuse." + r.Code, Args: r.Args} }

// AsRefusal finds a refusal in an error's chain.
func AsRefusal(err error) (*Refusal, bool) {
	return errors.AsType[*Refusal](err)
}
