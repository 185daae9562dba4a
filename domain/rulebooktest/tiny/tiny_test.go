package tiny

import (
	"os"
	"testing"

	"posthorn/domain"
	"posthorn/domain/rulebooktest"
)

func TestTheSuite(t *testing.T) {
	rulebooktest.Run(t, Rules{}, rulebooktest.Config{Long: os.Getenv("POSTHORN_LONG") == "1", Seats: []int{2, 3, 4}})
}

func TestGoldenGames(t *testing.T) {
	rulebooktest.Golden(t, Rules{}, recordings, record,
		rulebooktest.Recording{File: "base-2.jsonl", Seats: 2, Seed: 1},
		rulebooktest.Recording{File: "low-4.jsonl", Choices: domain.Choices{"low": "on"}, Seats: 4, Seed: 2},
	)
}
