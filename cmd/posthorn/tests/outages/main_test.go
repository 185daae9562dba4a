package outages

import (
	"os"
	"testing"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(brokerDir); dir != "" {
		beBroker(dir) // and nothing else
	}
	becomesUnsynced()
	os.Exit(posthorntest.Main(m))
}
