package house

import "time"

// patient is how long a test waits for what must come: posthorntest.Patient, which this package cannot import, because
// posthorntest imports it.
const patient = 2 * time.Minute
