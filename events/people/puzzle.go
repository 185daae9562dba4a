package people

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// The most puzzles per person, solutions per puzzle, and bytes of its title and of its texts.
const (
	MaxPuzzles     = 200
	MaxSolutions   = 10
	MaxPuzzleTitle = 80
	MaxPuzzleText  = 2000
)

// Puzzle is one decision of a finished game that somebody poses to others.
type Puzzle struct {
	Table     string      `json:"table"`
	Line      string      `json:"line"`
	Version   uint64      `json:"version"`
	Seat      domain.Seat `json:"seat"` // that decides: what it did not know is dealt afresh
	Luck      uint64      `json:"luck"` // of that deal
	Title     string      `json:"title"`
	Question  string      `json:"question,omitempty"`
	Solutions []string    `json:"solutions"` // whole moves, as the notation writes them, seats by letter
	Answer    string      `json:"answer,omitempty"`
}

// ErrNoPuzzle is returned for a puzzle that does not exist, or no longer does.
var ErrNoPuzzle = errors.New("no such puzzle")

// Check refuses what is too long or missing: "puzzle-title", "puzzle-text", "puzzle-solution".
func (p Puzzle) Check() error {
	switch {
	case strings.TrimSpace(p.Title) == "" || len(p.Title) > MaxPuzzleTitle || !utf8.ValidString(p.Title):
		return domain.Refuse("puzzle-title", "n", MaxPuzzleTitle)
	case len(p.Question) > MaxPuzzleText || len(p.Answer) > MaxPuzzleText || !utf8.ValidString(p.Question+p.Answer):
		return domain.Refuse("puzzle-text", "n", MaxPuzzleText)
	case len(p.Solutions) == 0 || len(p.Solutions) > MaxSolutions:
		return domain.Refuse("puzzle-solution", "n", MaxSolutions)
	}
	return nil
}

// AddPuzzle stores a person's puzzle under a new name, by which anybody told the name finds it. It refuses with
// "puzzle-many", and as Check does.
func (s *Store) AddPuzzle(ctx context.Context, id domain.PersonID, p Puzzle) (events.Name, error) {
	name := events.NewName()
	if err := p.Check(); err != nil {
		return name, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return name, fmt.Errorf("keep a puzzle: %w", err)
	}
	sealed, err := s.Encrypt(ctx, id, text)
	if err != nil {
		return name, err
	}
	return name, s.change(ctx, "keep a puzzle", func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM puzzles WHERE person = ?`, key(id)).
			Scan(&n); err != nil {
			return err
		}
		if n >= MaxPuzzles {
			return domain.Refuse("puzzle-many", "n", MaxPuzzles)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO puzzles (id, person, puzzle) VALUES (?,?,?)`, name[:], key(id),
			sealed)
		return err
	})
}

// Puzzle reads a puzzle. It returns ErrNoPuzzle if there is none under that name.
func (s *Store) Puzzle(ctx context.Context, name events.Name) (p Puzzle, maker domain.PersonID, err error) {
	var person []byte
	var sealed []byte
	err = s.read.QueryRowContext(ctx, `SELECT person, puzzle FROM puzzles WHERE id = ?`, name[:]).Scan(&person, &sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return p, "", ErrNoPuzzle
	}
	if err != nil {
		return p, "", fmt.Errorf("read a puzzle: %w", err)
	}
	maker = domain.PersonID(events.Name(person).String())
	p, err = s.opened(ctx, maker, sealed)
	return p, maker, err
}

func (s *Store) opened(ctx context.Context, maker domain.PersonID, sealed []byte) (p Puzzle, err error) {
	text, err := s.Decrypt(ctx, maker, sealed)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("read a puzzle: %w", err)
	}
	return p, nil
}

// Puzzles lists a person's puzzles by name.
func (s *Store) Puzzles(ctx context.Context, id domain.PersonID) (map[events.Name]Puzzle, error) {
	type row struct {
		name   events.Name
		sealed []byte
	}
	rows, err := database.All(ctx, s.read, func(r database.Row) (out row, err error) {
		var name []byte
		err = r.Scan(&name, &out.sealed)
		copy(out.name[:], name)
		return out, err
	}, `SELECT id, puzzle FROM puzzles WHERE person = ?`, key(id))
	if err != nil {
		return nil, fmt.Errorf("list puzzles: %w", err)
	}
	out := map[events.Name]Puzzle{}
	for _, r := range rows {
		if out[r.name], err = s.opened(ctx, id, r.sealed); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DropPuzzle removes a person's puzzle: its link then leads nowhere. It returns ErrNoPuzzle if it is not theirs.
func (s *Store) DropPuzzle(ctx context.Context, id domain.PersonID, name events.Name) error {
	return s.change(ctx, "take a puzzle away", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM puzzles WHERE id = ? AND person = ?`, name[:], key(id))
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return ErrNoPuzzle
	})
}
