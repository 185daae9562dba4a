package folder

import (
	"encoding/json"
	"os"
)

// Note writes a value into a file as JSON, as a whole or not at all, and readable by its owner only. What is noted so
// can be found out again: it need not survive a power cut.
func Note(path string, value any) error {
	b, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(path+".part", b, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	return err
}
