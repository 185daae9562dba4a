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
	b, err := json.Marshal(f)
	path := filepath.Join(data, forgedFile)
	if err == nil {
		err = os.WriteFile(path+".part", b, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
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
