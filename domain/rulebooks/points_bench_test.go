package rulebooks

import (
	"testing"

	"posthorn/domain"
)

// BenchmarkPoints is what it costs to count the points after a move beside the state, as the log has them.
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

// next is an event that the line may go on with.
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
