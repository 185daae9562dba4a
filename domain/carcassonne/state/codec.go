package state

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// Codec lists the types of event.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.Type[SetUp](EventSetUp), kit.Type[Played](EventPlayed), kit.NothingDealt,
	}}
}
