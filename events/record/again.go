package record

import (
	"crypto/sha256"
	"fmt"
	"io"

	"posthorn/events"
)

// Write writes a record that was read, byte for byte, with its sum. It does not write the records before it in a file
// of several.
func (f *File) Write(w io.Writer) error {
	sum := sha256.New()
	out := encoder(io.MultiWriter(w, sum))
	err := out.Encode(f.Header)
	for i := 0; i < len(f.Events) && err == nil; i++ {
		err = out.Encode(f.Events[i])
	}
	if err == nil {
		err = encoder(w).Encode(footer{Sum: events.Hash(sum.Sum(nil))})
	}
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}
