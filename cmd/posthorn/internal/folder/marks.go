package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// backupNote is a file whose modification time says when the house was last backed up.
const backupNote = "backed-up"

// NoteBackup records that the house was backed up just now.
func NoteBackup(data string) error {
	return Touch(filepath.Join(data, backupNote), time.Now(),
		"The time of this file is when \"posthorn backup\" last copied the house.\n")
}

// BackedUp returns when the house was last backed up, or zero if that is unknown.
func BackedUp(data string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(data, backupNote))
	if errors.Is(err, os.ErrNotExist) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("when it was backed up: %w", err)
	}
	return info.ModTime(), nil
}

// Touch sets the modification time of a file. It creates the file with a text if it does not exist.
func Touch(path string, now time.Time, text string) error {
	err := os.Chtimes(path, now, now)
	if errors.Is(err, os.ErrNotExist) {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	return err
}

// AliveText is the content of the file whose modification time says when the house was last up.
const AliveText = "The time of this file is when the house was last known to be up.\n"

// begunFile holds the position at which this folder's server last began to write. Its people.db and mail.db are newer
// than every copy made by a writer that began earlier.
const begunFile = "begun"

// Begun reads begunFile. It returns 0 if this folder has never been one of several that write in turn.
func Begun(data string) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(data, begunFile))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("when this server last began to write: %w", err)
	}
	pos, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("when this server last began to write: %w", err)
	}
	return pos, nil
}

// NoteBegun writes begunFile, as a whole or not at all.
func NoteBegun(data string, pos uint64) error {
	path := filepath.Join(data, begunFile)
	err := os.Remove(path + ".part")
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = WriteKey(path+".part", []byte(strconv.FormatUint(pos, 10)+"\n"))
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
		return fmt.Errorf("note that this server begins to write: %w", err)
	}
	return nil
}
