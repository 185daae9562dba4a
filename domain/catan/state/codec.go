package state

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.SecretType[SetUp, Held](TypeSetup), kit.SecretType[Played, Unseen](TypePlayed), kit.SecretType[Dealt, Held](TypeDealt),
	}}
}
