package rulebooks

import (
	"testing"

	"posthorn/domain"
)

// BenchmarkPoints measures counting the points after a move without applying it, as for the log.
func BenchmarkPoints(b *testing.B) {
	for _, rb := range All() {
		b.Run(rb.Name(), func(b *testing.B) {
			choices, err := domain.Complete(rb, nil)
			if err != nil {
				b.Fatal(err)
			}
			line := domain.NewLine(rb, domain.NewThrowaway(1))
			first, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
			if err != nil {
				b.Fatal(err)
			}
			line.Apply(&first)
			for range 40 {
				e := next(b, line)
				line.Apply(&e)
			}
			e := next(b, line)
			b.ReportAllocs()
			for b.Loop() {
				line.CountPoints(&e)
			}
		})
	}
}

// next returns an event with which the line may go on.
func next(b *testing.B, line *domain.Line) domain.Event {
	seat := line.Awaited()[0].Seat
	var last domain.Move
	for m := range line.Rulebook.Legal(line.State, seat) {
		last = m
	}
	e, _, err := line.Decide(seat, last)
	if err != nil {
		b.Fatal(err)
	}
	return e
}
