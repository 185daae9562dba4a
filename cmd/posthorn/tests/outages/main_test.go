package outages

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(brokerDir); dir != "" {
		beBroker(dir) // and nothing else
	}
	becomesUnsynced()
	if flag.Parse(); testing.Short() {
		fmt.Println("NOT TESTED with -short: outages")
		return
	}
	os.Exit(posthorntest.Main(m))
}
