package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events/bench"
)

// Cmd measures parts of the house on this machine.
type Cmd struct {
	Log  BenchLogCmd `cmd:"" help:"Durable appends beside the disk's own rate, loading, scanning."`
	HTTP HTTPCmd     `cmd:"" name:"http" help:"Whole turns by the API over loopback."`
}

// BenchLogCmd compares the log with the bare disk below it.
type BenchLogCmd struct {
	Dir    string        `help:"A folder on the disk to be measured; what is made there is removed." default:"." type:"existingdir"`
	Length time.Duration `help:"How long each measurement takes." default:"3s"`
	JSON   bool          `name:"json" help:"Print one line of JSON, times in nanoseconds."`
}

// Run measures and prints.
func (c *BenchLogCmd) Run(ctx context.Context, con console.Console) error {
	got, err := bench.Log(ctx, bench.Options{Dir: c.Dir, Length: c.Length})
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(got)
	}
	fmt.Fprintf(con.Out, "durable appends, an event each, %d processors; beside them 4-KiB append + fdatasync\non "+
		"the same disk by one caller, just before and just after\n\n", runtime.NumCPU())
	w := tabwriter.NewWriter(con.Out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "callers\tevents/s\tdisk alone/s\ttimes\tmedian answer\t99 %\t")
	for _, a := range got.Appends {
		fmt.Fprintf(w, "%d\t%.0f\t%.0f\t%.1f\t%s\t%s\t\n", a.Callers, a.PerSecond, a.Disk, a.PerSecond/a.Disk,
			short(a.Median), short(a.Slowest))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	fmt.Fprintln(con.Out)
	for _, l := range got.Loads {
		fmt.Fprintf(con.Out, "load a line of %d events: %s (bare scan of its rows: %s; verifying its chain: %s)\n",
			l.Events, short(l.Load), short(l.Bare), short(l.Verify))
	}
	_, err = fmt.Fprintf(con.Out, "scan by position: %s an event, of %d; %.0f bytes an event on disk\n",
		short(got.Scan), got.Events, got.Bytes)
	return err
}

// short rounds a duration to about three digits.
func short(d time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}
