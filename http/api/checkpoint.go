package api

import (
	"encoding/hex"
	"errors"

	"golang.org/x/mod/sumdb/tlog"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desk"
	"posthorn/http/door"
)

type checkpointJSON struct {
	Origin    string `json:"origin"`
	Size      int64  `json:"size"`
	Root      string `json:"root"`
	PublicKey string `json:"public_key"`
	Note      string `json:"note"`
}

type proofJSON struct {
	From   int64    `json:"from"`
	To     int64    `json:"to"`
	Hashes []string `json:"hashes"`
}

type inclusionJSON struct {
	Stream   events.Name `json:"stream"`
	Version  uint64      `json:"version"`
	Hash     string      `json:"hash"`
	Position int64       `json:"position"`
	Size     int64       `json:"size"`
	Hashes   []string    `json:"hashes"`
}

// latestCheckpoint answers with the latest signed state of the whole log.
func latestCheckpoint(c *call) (any, error) {
	note, at, err := c.signed()
	if err != nil {
		return nil, err
	}
	key := c.Desk.Keys().PublicKey()
	return checkpointJSON{checkpoint.Origin(key), at.Size, hex.EncodeToString(at.Root[:]), hex.EncodeToString(key),
		note}, nil
}

// signed returns the latest checkpoint, or ErrNoStream if none has been signed.
func (c *call) signed() (string, checkpoint.Checkpoint, error) {
	if c.Checkpoints == nil {
		return "", checkpoint.Checkpoint{}, events.ErrNoStream
	}
	note, at, err := c.Checkpoints.Latest()
	if errors.Is(err, checkpoint.ErrNone) {
		err = events.ErrNoStream
	}
	return note, at, err
}

// consistency proves that the log of a newer checkpoint extends that of an older one.
func consistency(c *call) (any, error) {
	_, latest, err := c.signed()
	if err != nil {
		return nil, err
	}
	from, err1 := c.number("from", uint64(latest.Size))
	to, err2 := c.number("to", uint64(latest.Size))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if to == 0 {
		to = uint64(latest.Size)
	}
	if from == 0 {
		return proofJSON{0, int64(to), []string{}}, nil // every log extends the empty one
	}
	proof, err := c.Checkpoints.Consistency(int64(from), int64(to))
	if errors.Is(err, checkpoint.ErrSize) {
		return nil, door.ErrMalformed
	}
	return proofJSON{int64(from), int64(to), hexes(proof)}, err
}

// inclusion proves that an event of a table is in the log of a checkpoint.
func inclusion(c *call, look desk.Look) (any, error) {
	_, latest, err := c.signed()
	if err != nil {
		return nil, err
	}
	stream := look.Name
	if text := c.QueryParam("stream"); text != "" {
		stream, err = events.ParseName(text)
	}
	if err != nil || stream != look.Name && !door.Owns(look.Table, stream) {
		return nil, events.ErrNoStream
	}
	version, err1 := c.number("version", anyNumber)
	size, err2 := c.number("size", uint64(latest.Size))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if size == 0 {
		size = uint64(latest.Size)
	}
	if version == 0 {
		head, err := c.Desk.Log().Head(c.Ctx(), stream)
		if err != nil {
			return nil, err
		}
		version = head.Version
	}
	r, err := events.LoadOne(c.Ctx(), c.Desk.Log(), stream, version)
	if errors.Is(err, events.ErrNoRecord) {
		return nil, events.ErrNoStream
	}
	if err != nil {
		return nil, err
	}
	proof, err := c.Checkpoints.Inclusion(int64(r.Pos), int64(size))
	if errors.Is(err, checkpoint.ErrSize) {
		return nil, events.ErrNoStream // not signed yet
	}
	return inclusionJSON{r.Stream, r.Version, r.Hash.String(), int64(r.Pos), int64(size), hexes(proof)}, err
}

func hexes(hashes []tlog.Hash) []string {
	return each(hashes, func(h tlog.Hash) string { return hex.EncodeToString(h[:]) })
}
