package pages

import (
	"embed"
	"encoding/json"
	"fmt"

	"posthorn/domain"
	"posthorn/http/door"
)

//go:embed samples/*.json
var sampleFiles embed.FS

// sample is a moment of a game that nobody plays: its picture shows newcomers what the game looks like. Samples are in
// samples/GAME.json; a game without one is shown as it begins.
type sample struct {
	Seats   int            `json:"seats"`
	Choices domain.Choices `json:"options,omitempty"`
	Seed    uint64         `json:"seed"`
	Moves   []string       `json:"moves"`
}

// sampleOf returns a game's sample.
func sampleOf(rb domain.Rulebook) (s sample, err error) {
	data, err := sampleFiles.ReadFile("samples/" + rb.Name() + ".json")
	if err != nil { // without one, use a new game
		s.Seats, _ = rb.Seats(door.FullOr(rb, nil))
		return s, nil
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("sample of %s: %w", rb.Name(), err)
	}
	return s, nil
}

// play plays a sample to its end.
func (s sample) play(rb domain.Rulebook) (*domain.Line, error) {
	line := domain.NewLine(rb, domain.NewThrowaway(s.Seed))
	e, _, err := line.Setup(domain.Game{Choices: door.FullOr(rb, s.Choices), Seats: s.Seats})
	if err != nil {
		return nil, fmt.Errorf("sample of %s: %w", rb.Name(), err)
	}
	line.Apply(&e)
	for i, text := range s.Moves {
		if len(line.Awaited()) == 0 {
			return line, fmt.Errorf("sample of %s: the game is over before move %d", rb.Name(), i+1)
		}
		m, err := line.Parse(text, nil)
		if err == nil {
			e, _, err = line.Decide(line.Awaited()[0].Seat, m)
		}
		if err != nil {
			return line, fmt.Errorf("sample of %s: move %d, %q: %w", rb.Name(), i+1, text, err)
		}
		line.Apply(&e)
	}
	return line, nil
}
