package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events"
	"posthorn/events/record"
)

// errOtherKey is returned for what is signed with another key than the one that is known.
var errOtherKey = errors.New("it is signed with another key")

// pinned returns the keys given with --key.
func (c *verifyCmd) pinned() (keys []ed25519.PublicKey, err error) {
	for _, text := range c.Key {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !events.Proves(raw) {
			return nil, &console.Exit{Status: 2, Err: fmt.Errorf("--key %q: write it as a record's header does, 44 characters of base64", text)}
		}
		keys = append(keys, raw)
	}
	return keys, nil
}

// knows compares the key of a record with those that are known, and remembers it if the table was never seen.
func (c *verifyCmd) knows(con console.Console, f *record.File, r *record.Report) error {
	trusted := []ed25519.PublicKey{f.Header.Key}
	for n := len(r.Hands) - 1; n >= 0 && r.Hands[n].Proved; n-- { // whoever knows a server knows to which it gave a table
		trusted = append(trusted, r.Hands[n].From)
	}
	return c.known(con, "table "+r.Table.String(), trusted)
}

// knowsServer does the same with the key of a server, by its address. A port of this machine is nobody's address.
func (c *verifyCmd) knowsServer(con console.Console, at *url.URL, key ed25519.PublicKey) error {
	if ip := net.ParseIP(at.Hostname()); len(c.Key) == 0 && (ip != nil && ip.IsLoopback() || at.Hostname() == "localhost") {
		return nil
	}
	return c.known(con, "server "+at.Host, []ed25519.PublicKey{key})
}

// known compares the key of something, a table or a server, and those of servers that gave it away, with the keys that
// were given or else with the one that was seen first.
func (c *verifyCmd) known(con console.Console, of string, trusted []ed25519.PublicKey) error {
	pins, err := c.pinned()
	if err != nil {
		return err
	}
	list, err := c.readKnown()
	if err != nil {
		return err
	}
	now := base64.StdEncoding.EncodeToString(trusted[0])
	seen, first := list.of(of)
	if len(pins) == 0 && !first {
		pins = []ed25519.PublicKey{seen}
	}
	isPinned := func(key ed25519.PublicKey) bool {
		return slices.ContainsFunc(pins, func(pin ed25519.PublicKey) bool { return pin.Equal(key) })
	}
	switch {
	case len(pins) > 0 && !slices.ContainsFunc(trusted, isPinned):
		from := "--key"
		if len(c.Key) == 0 {
			from = list.path
		}
		return &console.Exit{Status: 1, Err: fmt.Errorf("%w: that of %s is %s, and not the one in %s", errOtherKey, of, now, from)}
	case first:
		fmt.Fprintf(con.Out, "First seen: the key of %s is %s.\n  Compare it with one that you have from elsewhere; --key checks it.\n", of, now)
	}
	if !seen.Equal(trusted[0]) {
		list.add(of, now)
	}
	return nil
}

// knownKeys is a file with a line for each key that was seen: of what, and the key. The last line of something counts.
type knownKeys struct {
	path string
	text []byte
}

// readKnown reads the keys that were seen. Without a place for them none is remembered.
func (c *verifyCmd) readKnown() (list knownKeys, err error) {
	if list.path = c.Known; list.path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return list, nil
		}
		list.path = filepath.Join(dir, "posthorn", "known-keys")
	}
	if list.text, err = os.ReadFile(list.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return list, &console.Exit{Status: 2, Err: fmt.Errorf("read the known keys: %w", err)}
	}
	return list, nil
}

// of returns the key that something was seen with; first is true if it was never seen.
func (k knownKeys) of(what string) (key ed25519.PublicKey, first bool) {
	first = true
	for line := range bytes.Lines(k.text) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(string(line)), what+" "); ok {
			if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
				key, first = raw, false
			}
		}
	}
	return key, first
}

// add remembers a key. Where nothing can be written, the next one is seen first again, and printed.
func (k knownKeys) add(what, key string) {
	if k.path == "" || os.MkdirAll(filepath.Dir(k.path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(k.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "%s %s\n", what, key)
	_ = f.Close()
}
