package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Outcomes returns the two dice of the next roll.
func (Room) Outcomes(v *state.View) []domain.Form {
	if v.Phase == state.Over {
		return nil
	}
	die := domain.Field{Name: "die", Label: domain.S("chance.die"), Kind: domain.FieldChoice}
	for n := 1; n <= 6; n++ {
		die.Words = append(die.Words, strconv.Itoa(n))
	}
	face := domain.Field{Name: "face", Label: domain.S("chance.face"), Kind: domain.FieldChoice}
	for _, name := range table.FaceNames[1:] {
		face.Words, face.Labels = append(face.Words, name), append(face.Labels, domain.S("face."+name))
	}
	return []domain.Form{{Key: "dice", Label: domain.S("chance.dice"), Pattern: "dice {die} {face}",
		Fields: []domain.Field{die, face}}}
}
