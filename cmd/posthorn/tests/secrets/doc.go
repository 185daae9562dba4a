// Package secrets holds the tests that nobody learns what they must not know, on any channel, and that handovers cannot
// be forged. Only tests that compare several doors belong here.
package secrets
