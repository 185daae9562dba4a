package events

// The house stream concerns no table. It keeps what must outlast a restored backup of people.db, and is applied again
// at every start.
const (
	// TypeForgotten is the event that a person was forgotten: no backup brings them back.
	TypeForgotten = "person.forgotten.v1"
	// TypeWithdrawn is the event that a person withdrew all their passes: no backup revives the links of old mails.
	TypeWithdrawn = "person.withdrawn.v1"
	// TypeBanned is the event that a host bans a person from the house.
	TypeBanned = "person.banned.v1"
	// TypeUnbanned is the event that a host lets them back in.
	TypeUnbanned = "person.unbanned.v1"
)

// HouseTypes are the types of event in the house stream.
var HouseTypes = []string{TypeForgotten, TypeWithdrawn, TypeBanned, TypeUnbanned, TypeTookOverV1, TypeTookOver}

// HouseStream returns the name of the house stream.
func (k *Keys) HouseStream() Name { return Name(k.For("house stream")[:16]) }
