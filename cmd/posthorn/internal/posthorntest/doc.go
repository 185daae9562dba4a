// Package posthorntest helps the tests of several packages of this program. It builds and runs the binary, runs a house
// inside a test's process, and waits. It holds no tests; helpers that only one package needs stay there.
package posthorntest
