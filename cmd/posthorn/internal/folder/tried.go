package folder

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Tried is what became of the last mail that "posthorn doctor" sent to the house, as the house notes for the doctor.
type Tried struct {
	Mark     string `json:"mark"`
	Believed bool   `json:"believed"`
	Unplayed string `json:"unplayed,omitempty"` // why its move would not have been played
}

const triedFile = "tried.json"

// NoteTried writes it.
func NoteTried(data string, t Tried) error {
	if err := Note(filepath.Join(data, triedFile), t); err != nil {
		return fmt.Errorf("note what became of a mail of the doctor: %w", err)
	}
	return nil
}

// ReadTried reads it; the zero value if there is none.
func ReadTried(data string) (t Tried) {
	b, err := os.ReadFile(filepath.Join(data, triedFile))
	if err != nil || json.Unmarshal(b, &t) != nil {
		return Tried{}
	}
	return t
}
