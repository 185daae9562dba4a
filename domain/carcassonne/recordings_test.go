package carcassonne

import (
	"os"
	"path/filepath"

	"posthorn/domain/rulebooktest"
)

// disk is this package's folder, which has the golden games.
var disk = rulebooktest.Disk[os.FileMode]{Glob: filepath.Glob, ReadFile: os.ReadFile, MkdirAll: os.MkdirAll,
	WriteFile: os.WriteFile}
