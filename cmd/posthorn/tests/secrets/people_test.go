package secrets

import "posthorn/domain"

// Passes are made for people whose ids look like those in people.db.
const anaID, boID = domain.PersonID("a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"),
	domain.PersonID("b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0")
