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
			return nil, console.Fails(2, "--key %q: write it as a record's header does, 44 characters of base64", text)
		}
		keys = append(keys, raw)
	}
	return keys, nil
}

// knows compares the key of a record with those that are known, and remembers it if the table was never seen.
func (c *verifyCmd) knows(con console.Console, f *record.File, r *record.Report) error {
	trusted, proved := trustedBy(f, r)
	return c.known(con, "table "+r.Table.String(), trusted, proved)
}

// trustedBy returns the key of a record, and those of the former servers that proved to have given the table to it:
// whoever knows a server knows to which it gave a table. proved is false if the table changed hands and nothing shows
// that it was given away: then its key is neither taken for a former server's nor remembered.
func trustedBy(f *record.File, r *record.Report) (trusted []ed25519.PublicKey, proved bool) {
	trusted, proved = append(trusted, f.Header.Key), true
	for _, h := range slices.Backward(r.Hands) {
		if h.Table != r.Table {
			continue // of a table that it goes on from
		}
		if proved = proved && h.Proved; proved {
			trusted = append(trusted, h.From)
		}
	}
	return trusted, proved
}

// knowsServer does the same with the key of a server, by its address. A port of this machine is nobody's address.
func (c *verifyCmd) knowsServer(con console.Console, at *url.URL, key ed25519.PublicKey) error {
	if ip := net.ParseIP(at.Hostname()); len(c.Key) == 0 &&
		(ip != nil && ip.IsLoopback() || at.Hostname() == "localhost") {
		return nil
	}
	return c.known(con, "server "+at.Host, []ed25519.PublicKey{key}, true)
}

// pinnedAlone compares keys with those given with --key alone: of a proof, of a data folder, of an archived game among
// others.
func (c *verifyCmd) pinnedAlone(of string, trusted ...ed25519.PublicKey) error {
	pins, err := c.pinned()
	if err != nil || len(pins) == 0 ||
		slices.ContainsFunc(trusted, func(key ed25519.PublicKey) bool { return among(pins, key) }) {
		return err
	}
	return otherKey(of, trusted[0], "--key")
}

// otherKey is the fault of something that is signed with a key other than those that are known.
func otherKey(of string, key ed25519.PublicKey, known string) error {
	text := base64.StdEncoding.EncodeToString(key)
	return console.Fails(1, "%w: that of %s is %s, and not the one in %s", errOtherKey, of, text, known)
}

func among(keys []ed25519.PublicKey, key ed25519.PublicKey) bool {
	return slices.ContainsFunc(keys, func(k ed25519.PublicKey) bool { return k.Equal(key) })
}

// known compares the key of something, a table or a server, and those of servers that gave it away, with the keys that
// were given or else with the one that was seen first. Only one that is proved to follow from the former ones is
// remembered.
func (c *verifyCmd) known(con console.Console, of string, trusted []ed25519.PublicKey, proved bool) error {
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
	switch {
	case len(pins) > 0 && !slices.ContainsFunc(trusted, func(key ed25519.PublicKey) bool { return among(pins, key) }):
		from := "--key"
		if len(c.Key) == 0 {
			from = list.path
		}
		return otherKey(of, trusted[0], from)
	case !proved:
		fmt.Fprintf(con.Out, "The key of %s is %s. It is not remembered: nothing shows that the table was "+
			"given to that server.\n", of, now)
		return nil
	case first:
		fmt.Fprintf(con.Out, "First seen: the key of %s is %s.\n  Compare it with one that you have from "+
			"elsewhere; --key checks it.\n", of, now)
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
		return list, console.Fails(2, "read the known keys: %w", err)
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
