package catan_test

import (
	"testing"

	"posthorn/domain/catan"
	"posthorn/domain/rulebooktest"
)

// FuzzFold: an altered event of a recorded game is an error when it is read, or folds.
func FuzzFold(f *testing.F) { rulebooktest.Fold(f, catan.Rulebook, disk) }
