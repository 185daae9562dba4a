package table

// Play is which game is played.
type Play = Word[playWords]

// The plays.
const (
	Intro Play = iota
	AgeOfGold
	AgeOfTurmoil
	AgeOfProgress
	Duel
	Plays
)

var (
	PlayNames = [Plays]string{"intro", "gold", "turmoil", "progress", "duel"}
	Goals     = [Plays]int8{7, 12, 12, 12, 13}
)

// Rules are the options where the sources leave a rule open.
type Rules uint8

// The rules that may be chosen otherwise; each names its ambiguity.
const (
	OpenToStack    Rules = 1 << iota // a forced-out open card goes under a stack
	DoctorFour                       // the Doctor heals all four regions of the city
	BrigandsCache                    // the Gold Cache may be the Brigands' one region
	SameStack                        // both may take the first hand from one stack
	OneRemoval                       // one removal a turn
	UnstorableLost                   // what the taker cannot store is lost to both
)

// Face is what the event die shows.
type Face = Word[faceWords]

// The faces; EventFace is on two of the six sides.
const (
	NoFace Face = iota
	Brigand
	Trade
	Celebration
	Harvest
	EventFace
	FacesN
)

var FaceNames = [FacesN]string{"", "brigand", "trade", "celebration", "harvest", "event"}

// Sides are the six sides of the event die.
var Sides = [6]Face{Brigand, Trade, Celebration, Harvest, EventFace, EventFace}
