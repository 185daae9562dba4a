package secrets

import "posthorn/domain"

// Whom passes are made for have ids as people.db gives them.
const anaID, boID = domain.PersonID("a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"), domain.PersonID("b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0")
