package mail_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// never returns what the clock has not done at any of some tables.
func (y *year) never(tables []events.Name) (list []string) {
	did := y.judgeAll(tables)
	for _, what := range []string{"time-out remind", "time-out turn", "time-out seat", "time-out lost",
		"deferred spare", "deferred away", "carried", "unanswered"} {
		if did[what] == 0 {
			list = append(list, what)
		}
	}
	return list
}

func (y *year) judgeAll(tables []events.Name) map[string]int {
	did := map[string]int{}
	for _, name := range tables {
		for what, n := range y.judge(name) {
			did[what] += n
		}
	}
	return did
}

// judge checks what the clock did at a table: nothing early, nothing late, nothing twice.
func (y *year) judge(table events.Name) (did map[string]int) {
	did = map[string]int{}
	entries, err := y.TableHistory(y.Ctx, table, 0)
	require.NoError(y.T, err)
	once := map[string]bool{}
	for _, e := range entries {
		late, what := time.Duration(0), ""
		switch f := e.Event.(type) {
		case *domain.TimedOut:
			late, what = e.Record.At.Sub(f.Due.At), fmt.Sprint("over ", f.Due)
			did["time-out "+string(f.Does)]++
		case *domain.Deferred:
			did["deferred "+string(f.Why)]++
			what = fmt.Sprint(f.Why, f.Person, f.Until, f.Due)
		case *domain.Carried:
			did["carried"]++
		case *domain.Unanswered:
			did["unanswered"]++
		default:
			continue
		}
		require.False(y.T, what != "" && once[what], "twice: %s", what)
		once[what] = true
		require.GreaterOrEqual(y.T, late, time.Duration(0), "before its time: %s", what)
		require.Less(y.T, late, 2*time.Minute, "late: %s", what)
	}
	return did
}
