package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Environment is a file of environment variables. A shell and systemd's EnvironmentFile read it alike. Lines that
// nobody sets stay as they are, in their order.
type Environment struct{ lines []line }

type line struct{ text, name, value string }

var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

// heading is the beginning of a new file.
const heading = "# Settings of Posthorn, for systemd and for a shell. Nobody else may read them: they hold passwords."

// ReadEnvironment reads a file. One that is not there has only a heading.
func ReadEnvironment(path string) (*Environment, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return &Environment{[]line{{text: heading}}}, nil
	}
	if err != nil {
		return nil, err
	}
	e := &Environment{}
	for n, l := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' || l[0] == ';' {
			e.lines = append(e.lines, line{text: l})
			continue
		}
		m := assignment.FindStringSubmatch(l)
		value, ok := "", false
		if m != nil {
			value, ok = unquoted(m[2])
		}
		if !ok {
			return nil, fmt.Errorf(`%s, line %d: write it as NAME="value"`, path, n+1)
		}
		e.lines = append(e.lines, line{l, m[1], value})
	}
	return e, nil
}

// unquoted returns what a shell makes of a value on one line without substitutions.
func unquoted(text string) (string, bool) {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '\\' && quote != '\'':
			if i++; i == len(text) {
				return "", false // the value goes on in the next line
			}
			if quote == '"' && !strings.ContainsRune("\"\\`$", rune(text[i])) {
				b.WriteByte(c)
			}
			b.WriteByte(text[i])
		case quote == 0 && (c == ' ' || c == '\t'):
			return b.String(), strings.HasPrefix(strings.TrimSpace(text[i:]), "#") || strings.TrimSpace(text[i:]) == ""
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), quote == 0
}

// quoted writes a value between double quotes. Between single quotes systemd and a shell would differ about a single
// quote.
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(value) + `"`
}

// Get returns the value of a variable; of several, the last, as both readers do.
func (e *Environment) Get(name string) string {
	for _, l := range slices.Backward(e.lines) {
		if l.name == name {
			return l.value
		}
	}
	return ""
}

// Set gives a variable its value, in its own line if it has one. Without a value, its lines go.
func (e *Environment) Set(name, value string) {
	if value == e.Get(name) && value != "" {
		return
	}
	kept := e.lines[:0]
	set := value == ""
	for _, l := range e.lines {
		if l.name == name {
			if set {
				continue
			}
			l, set = line{name + "=" + quoted(value), name, value}, true
		}
		kept = append(kept, l)
	}
	if e.lines = kept; !set {
		e.lines = append(e.lines, line{name + "=" + quoted(value), name, value})
	}
}

// Text returns the file.
func (e *Environment) Text() string {
	var b strings.Builder
	for _, l := range e.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

var password = regexp.MustCompile(`(://[^:@/"]*:)[^@"]*@`)

// Shown returns the file without the passwords in its addresses.
func (e *Environment) Shown() string { return password.ReplaceAllString(e.Text(), "$1***@") }

// Variables returns the variables as a process gets them.
func (e *Environment) Variables() (out []string) {
	for _, l := range e.lines {
		if l.name != "" {
			out = append(out, l.name+"="+l.value)
		}
	}
	return out
}

// Write writes a file as a whole or not at all.
func Write(path, text string, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
