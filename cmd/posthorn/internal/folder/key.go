package folder

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events"
)

// Keys makes the folder if it does not exist yet, and returns its ServerKeys.
func Keys(data string) (*events.Keys, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	return ServerKeys(data)
}

// ServerKeys reads the server's key, or makes one for a new house.
func ServerKeys(data string) (*events.Keys, error) {
	keys, err := ReadKey(data)
	if !errors.Is(err, os.ErrNotExist) {
		return keys, err
	}
	path := filepath.Join(data, "server.key")
	for _, file := range []string{"events.db", "people.db", "nats"} {
		if _, err := os.Stat(filepath.Join(data, file)); err == nil {
			return nil, &Fault{File: "server.key", Kind: faultMissing, Err: os.ErrNotExist,
				Text: path + " is missing: without it the secrets of this house cannot be read. " +
					remedies["server.key"]}
		}
	}
	var root [32]byte
	_, _ = rand.Read(root[:])
	if err := WriteKey(path, []byte(hex.EncodeToString(root[:])+"\n")); err != nil {
		return nil, err
	}
	return ReadKey(data)
}

// ReadKey reads the server's key. It returns os.ErrNotExist if there is none.
func ReadKey(data string) (*events.Keys, error) {
	path := filepath.Join(data, "server.key")
	text, err := console.ReadFile(path, console.MostKey)
	if err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			err = Explain(context.Background(), data, "server.key", err)
		}
		return nil, fmt.Errorf("the server's key: %w", err)
	}
	root, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(root) != 32 || strings.Count(string(text), string(text[0])) > 60 {
		return nil, &Fault{File: "server.key", Kind: faultDamaged, Err: err,
			Text: path + " does not hold 64 random hexadecimal digits. " + remedies["server.key"]}
	}
	return events.NewKeys([32]byte(root))
}

// WriteKey writes the file durably, as a whole or not at all, and readable by its owner only.
func WriteKey(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return fmt.Errorf("the server's key: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		// If another program has just made a key and uses it already, this one must not replace it.
		if err = os.Link(f.Name(), path); err != nil && !errors.Is(err, os.ErrExist) { // a file system without links
			err = os.Rename(f.Name(), path)
		}
	}
	if gone := os.Remove(f.Name()); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return fmt.Errorf("the server's key: %w", err)
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = errors.Join(dir.Sync(), dir.Close()) // not every file system syncs folders
	}
	return nil
}
