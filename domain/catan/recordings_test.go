package catan_test

import (
	"os"
	"path/filepath"

	"posthorn/domain/rulebooktest"
)

// disk is the folder of this package, where the golden games are.
var disk = rulebooktest.Disk[os.FileMode]{Glob: filepath.Glob, ReadFile: os.ReadFile, MkdirAll: os.MkdirAll,
	WriteFile: os.WriteFile}
