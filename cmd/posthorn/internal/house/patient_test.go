package house

import "time"

// patient is how long a test waits for what must come: posthorntest.Patient, which imports this package.
const patient = 2 * time.Minute
