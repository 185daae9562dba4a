package carcassonne

import (
	"embed"
	"os"
)

// recordings are the golden games; record adds one to them.
//
//go:embed testdata
var recordings embed.FS

func record(path string, game []byte) error { return os.WriteFile(path, game, 0o644) }
