package archive

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"posthorn/events"
	"posthorn/events/desk"
)

// Ending is how the names of archived games end.
const Ending = ".posthorn"

const (
	half     = ".part"    // follows a name while its file is being written
	position = "position" // how far in the log the folder has the finished games
	digits   = 3          // of a table's name, which group the games: 2,500 a folder for ten million
)

// ErrOtherHouse is returned for a folder with another house's games.
var ErrOtherHouse = errors.New("the folder has the games of another house")

// Folder holds archived games, each in its own file.
type Folder string

// Path returns where a table's game is, or would be.
func (d Folder) Path(table events.Name) string {
	name := table.String()
	return filepath.Join(string(d), name[:digits], name+Ending)
}

// Has reports whether a table's game is there.
func (d Folder) Has(table events.Name) (bool, error) {
	_, err := os.Stat(d.Path(table))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the archive: %w", err)
	}
	return true, nil
}

// Put writes a table's game as a whole or not at all, even through a power cut.
func (d Folder) Put(table events.Name, packed []byte) error { return put(d.Path(table), packed) }

func put(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the archive: %w", err)
	}
	f, err := os.CreateTemp(dir, "*"+half) // two programs may write the same game
	if err != nil {
		return fmt.Errorf("the archive: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("the archive: %w", errors.Join(err, os.Remove(f.Name())))
	}
	if in, err := os.Open(dir); err == nil {
		_ = errors.Join(in.Sync(), in.Close()) // not every file system syncs folders
	}
	return nil
}

// Each calls do with the paths of all games, in order of their names.
func (d Folder) Each(do func(path string) error) error {
	return filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("the archive: %w", err)
		}
		if !e.Type().IsRegular() || filepath.Ext(path) != Ending {
			return nil
		}
		return do(path)
	})
}

// Named reports whether a file is named after the table that it holds: a game under another name is not the one
// anybody looking for that name means.
func Named(path string, table events.Name) bool { return filepath.Base(path) == table.String()+Ending }

// upTo reads how far in a house's log the folder has the finished games; 0 if that is unknown, or if the log has been
// replaced since, for example by a backup.
func (d Folder) upTo(ctx context.Context, desk *desk.Desk) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(string(d), position))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("the archive: %w", err)
	}
	fields := strings.Fields(string(text))
	if len(fields) != 3 {
		return 0, nil
	}
	if fields[0] != house(desk) {
		return 0, fmt.Errorf("%w: name another folder than %s", ErrOtherHouse, string(d))
	}
	pos, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil || pos == 0 {
		return 0, nil
	}
	recs, err := desk.Log().Read(ctx, pos-1, 1)
	if err != nil {
		return 0, fmt.Errorf("the archive: %w", err)
	}
	if len(recs) == 0 || recs[0].Pos != pos || recs[0].Hash.String() != fields[2] {
		return 0, nil
	}
	return pos, nil
}

// note notes how far in a house's log the folder has the finished games.
func (d Folder) note(ctx context.Context, desk *desk.Desk, pos uint64) error {
	recs, err := desk.Log().Read(ctx, pos-1, 1)
	if err != nil {
		return fmt.Errorf("the archive: %w", err)
	}
	if len(recs) == 0 {
		return nil
	}
	return put(filepath.Join(string(d), position), fmt.Appendf(nil, "%s %d %s\n", house(desk), pos, recs[0].Hash))
}

// house names a house as its records do: by its public key.
func house(desk *desk.Desk) string { return hex.EncodeToString(desk.Keys().PublicKey()) }
