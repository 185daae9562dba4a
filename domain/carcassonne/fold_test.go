package carcassonne

import (
	"testing"

	"posthorn/domain/rulebooktest"
)

// FuzzFold: an altered event of a recorded game is an error where it is read, or folds on.
func FuzzFold(f *testing.F) { rulebooktest.Fold(f, Rulebook, disk) }
