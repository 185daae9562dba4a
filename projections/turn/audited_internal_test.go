package turn

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/words"
)

// ana gives everybody the same name.
type ana struct{ Names }

func (ana) DisplayName(context.Context, domain.PersonID) (string, error) { return "Ana", nil }

func TestEveryEventOfATableHasASentence(t *testing.T) {
	book, err := words.New(nil)
	require.NoError(t, err)
	m, p := &Maker{names: ana{}}, book.Printer("en", "", nil)
	for name := range domain.TableEventTypes() {
		e, ok := domain.NewTableEvent(name)
		require.True(t, ok)
		if undone, ok := e.(*domain.Undone); ok {
			undone.Rewound = &domain.Rewound{}
		}
		says, err := m.tellAll(t.Context(), p, &domain.Table{}, e, func(domain.PersonID, []byte) string { return "" })
		require.NoError(t, err, name)
		require.NotEmpty(t, says, name)
	}
}
