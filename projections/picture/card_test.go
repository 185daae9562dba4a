package picture_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/picture"
)

// However long names are and however many play, nothing on a card stands beyond its edge or on something else.
func TestACardHasRoomForEverything(t *testing.T) {
	board := domain.Scene{W: 100, H: 900, Shapes: []domain.Shape{domain.Rect(10, 10, 80, 880).Filled(0x112233FF)}}
	for n := 1; n <= domain.MaxSeats; n++ {
		card := picture.Card{Board: board, House: "Posthorn", Game: "Carcassonne",
			Title: strings.Repeat("Constantinople ", 9) + strings.Repeat("W", 99), Foot: []string{"71 moves", "2026"}}
		for i := range n {
			card.Rows = append(card.Rows, picture.CardRow{Seat: domain.Seat(i), Name: strings.Repeat("Wanda ", 9),
				Points: 100 - 50*i})
		}
		scene, err := card.Scene()
		require.NoError(t, err)
		last := 0.0
		for _, s := range scene.Shapes {
			if s.Text == "" {
				continue
			}
			require.Less(t, s.Size, 60.0)
			require.Greater(t, s.Size, 9.0, "%d seats: %q can be read", n, s.Text)
			require.Less(t, s.At.X, 1150.0)
			require.Greater(t, s.At.X, 620.0)
			require.Less(t, s.At.Y, 615.0)
			if s.Text == "71 moves" {
				require.Greater(t, s.At.Y-last, 20.0, "%d seats", n)
			}
			last = max(last, s.At.Y)
		}
		data, err := picture.PNG(scene, picture.PNGOptions{Width: 600})
		require.NoError(t, err)
		made, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, picture.CardWidth, made.Bounds().Dx())
		require.Equal(t, picture.CardHeight, made.Bounds().Dy())
		require.Less(t, strings.Count(scene.Shapes[len(scene.Shapes)-1].Text, "W"), 99)
	}
}

func TestOnlyLettersThatPicturesHaveAreDrawn(t *testing.T) {
	for text, drawn := range map[string]string{"Żaneta": "Żaneta", "李明": "", "Bo\u00a0 \U0001F338": "Bo",
		"\u2068Ana\u2069": "Ana", "Юля": "Юля"} {
		require.Equal(t, drawn, picture.Letters(text))
	}
}
