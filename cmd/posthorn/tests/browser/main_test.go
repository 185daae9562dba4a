package browser

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		fmt.Println("NOT TESTED with -short: the pages in a browser")
		return
	}
	os.Exit(posthorntest.Main(m))
}
