package catan_test

import (
	"os"

	"posthorn/domain/rulebooktest"
)

// disk is the folder of this package, where the golden games are.
var disk = rulebooktest.Disk{FS: os.DirFS("."), MkdirAll: os.MkdirAll, WriteFile: os.WriteFile}
