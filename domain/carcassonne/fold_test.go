package carcassonne

import (
	"testing"

	"posthorn/domain/rulebooktest"
)

// FuzzFold: an altered event of a recorded game is an error on reading, or still folds.
func FuzzFold(f *testing.F) { rulebooktest.Fold(f, Rulebook, disk) }
