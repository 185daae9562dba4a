package main

import (
	"os"
	"testing"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestMain(m *testing.M) { os.Exit(posthorntest.Main(m)) }
