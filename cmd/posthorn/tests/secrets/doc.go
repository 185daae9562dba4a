// Package secrets holds the tests that nobody learns what they may not know, whatever channel they look at, and that a handover
// cannot be forged. Only tests that hold several doors against each other belong here.
package secrets
