package show

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rivals/table"
)

func TestEveryCardHasABorderOfItsKind(t *testing.T) {
	for c := range table.Printings[1:] {
		border := face(table.Card(c+1), true)[0]
		require.NotZero(t, border.Stroke, table.Card(c+1).Name())
	}
}
