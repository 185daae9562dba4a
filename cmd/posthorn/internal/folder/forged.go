package folder

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Forged is what became of the last mail that "posthorn doctor" forged, as the house that took it notes for the doctor.
type Forged struct {
	Mark     string `json:"mark"`
	Believed bool   `json:"believed"`
}

const forgedFile = "forged.json"

// NoteForged writes it.
func NoteForged(data string, f Forged) error {
	if err := Note(filepath.Join(data, forgedFile), f); err != nil {
		return fmt.Errorf("note what became of a forged mail: %w", err)
	}
	return nil
}

// ReadForged reads it; the zero value if there is none.
func ReadForged(data string) (f Forged) {
	b, err := os.ReadFile(filepath.Join(data, forgedFile))
	if err != nil || json.Unmarshal(b, &f) != nil {
		return Forged{}
	}
	return f
}
