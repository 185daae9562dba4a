package main

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(brokerDir); dir != "" {
		beBroker(dir) // and nothing else
	}
	becomesUnsynced()
	os.Exit(tested(m))
}
