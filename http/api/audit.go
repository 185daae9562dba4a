package api

import (
	"encoding/hex"
	"errors"
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/events"
)

type partJSON struct {
	To     string `json:"to"`
	Digest string `json:"digest"`
}

type drawJSON struct {
	Purpose string `json:"purpose"`
	K       uint64 `json:"k"`
	Size    int    `json:"size"`
	Unseen  bool   `json:"unseen"`
}

type recordJSON struct {
	Version uint64     `json:"version"`
	Type    string     `json:"type"`
	At      instant    `json:"at"`
	Door    string     `json:"door"`
	Hash    string     `json:"hash"`
	Seat    *int       `json:"seat,omitempty"`
	Move    string     `json:"move,omitempty"`
	Parts   []partJSON `json:"parts"`
	Draws   []drawJSON `json:"draws"`
}

type auditLineJSON struct {
	Line    string       `json:"line"`
	Index   int          `json:"index"`
	Parent  string       `json:"parent,omitempty"`
	Fork    uint64       `json:"fork,omitempty"`
	Receipt string       `json:"receipt"`
	Events  []recordJSON `json:"events"`
}

type contributionJSON struct {
	Who   string `json:"who"`
	Bytes string `json:"bytes"`
}

type auditJSON struct {
	Table         string             `json:"table"`
	PublicKey     string             `json:"public_key"`
	Commitment    string             `json:"commitment"`
	Seed          string             `json:"seed,omitempty"`
	Receipt       string             `json:"receipt"`
	Contributions []contributionJSON `json:"contributions"`
	Events        []recordJSON       `json:"events"`
	Lines         []auditLineJSON    `json:"lines"`
}

// audit lists what anybody may check about a table: never a secret part's text.
func audit(c *call) error {
	name, err := c.TableName()
	if err != nil {
		return err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return err
	}
	out := auditJSON{Table: name.String(), PublicKey: hex.EncodeToString(c.Desk.Keys().PublicKey()),
		Receipt: c.Desk.Receipt(name, name, look.TableHead), Contributions: []contributionJSON{}, Events: []recordJSON{}}
	if look.Table.Revealed {
		out.Seed = hex.EncodeToString(look.Table.Seed[:])
	}
	if out.Commitment, err = c.Commitment(name); err != nil {
		return err
	}
	for _, given := range look.Table.Contributions {
		who, err := c.Called(given.Person)
		if err != nil {
			return err
		}
		out.Contributions = append(out.Contributions, contributionJSON{who, hex.EncodeToString(given.Bytes)})
	}
	history, err := c.Desk.TableHistory(c.Ctx(), name, 0)
	if err != nil {
		return err
	}
	for _, e := range history {
		out.Events = append(out.Events, recordOf(e.Record, e.Meta))
	}
	if out.Lines, err = c.auditedLines(look); err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, out)
}

func recordOf(r events.Record, meta events.Meta) recordJSON {
	return recordJSON{Version: r.Version, Type: r.Type, At: instant(r.At), Door: meta.Door, Hash: r.Hash.String(), Draws: []drawJSON{},
		Parts: each(r.Parts, func(p events.Part) partJSON { return partJSON{p.To.String(), p.Digest.String()} })}
}

// auditedLines lists the events of every line, each from its fork on.
func (c *call) auditedLines(look events.Look) ([]auditLineJSON, error) {
	out := []auditLineJSON{}
	for _, l := range look.Table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return nil, err
		}
		head, err := c.Desk.Log().Head(c.Ctx(), name)
		if errors.Is(err, events.ErrNoStream) {
			continue // decided upon and not opened yet
		}
		if err != nil {
			return nil, err
		}
		line := auditLineJSON{Line: l.Name, Index: l.Index, Parent: l.Parent, Fork: l.Fork, Receipt: c.Desk.Receipt(look.Name, name, head), Events: []recordJSON{}}
		entries, err := c.Desk.History(c.Ctx(), look, name, domain.Spectator, l.Fork, 0)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			r := recordOf(e.Record, e.Meta)
			r.Move = e.Event.Move
			if !e.Forked && e.Event.Seat != domain.Nobody {
				seat := int(e.Event.Seat)
				r.Seat = &seat
			}
			r.Draws = each(e.Event.Draws, func(d domain.Draw) drawJSON { return drawJSON{d.Purpose, d.K, d.Size, d.Unseen} })
			line.Events = append(line.Events, r)
		}
		out = append(out, line)
	}
	return out, nil
}
