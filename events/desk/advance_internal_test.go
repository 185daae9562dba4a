package desk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

// The house's own commands are under ids that follow from their words: another word, and a server that takes over does
// again what was done.
func TestTheWishesOfTheHouseStayAsTheyAre(t *testing.T) {
	line := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(0))
	for wish, c := range map[string]Command{
		"start":     due(&domain.Table{Status: domain.TableOpen}, nil),
		"open-line": due(&domain.Table{Status: domain.TableStarted}, nil),
		"lapse":     due(&domain.Table{Status: domain.TableStarted, Proposal: &domain.Proposal{Line: 7}}, line),
		"finish":    due(&domain.Table{Status: domain.TableStarted, Due: domain.EndAgreed}, line),
		"unseal":    due(&domain.Table{Status: domain.TableEnded}, nil),
	} {
		require.Equal(t, wish, c.Row().Wish)
	}
}
