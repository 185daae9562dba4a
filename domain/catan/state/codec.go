package state

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	played := kit.SecretType[Played, Unseen](TypePlayed)
	played.Body = func() any { return Nothing() }
	return domain.Codec{Types: []domain.EventType{kit.SecretType[SetUp, Held](TypeSetup), played, kit.SecretType[Dealt, Held](TypeDealt)}}
}
