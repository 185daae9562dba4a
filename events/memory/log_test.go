package memory_test

import (
	"testing"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/memory"
)

func TestLog(t *testing.T) {
	logtest.Run(t, logtest.Opener{Open: func(*testing.T) events.Log { return memory.New() }})
}
