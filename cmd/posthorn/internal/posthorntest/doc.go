// Package posthorntest helps the tests of several packages of this program: it builds and runs the binary, has a house live in the process
// of a test, and waits. It holds no tests, and what only one package needs stays there.
package posthorntest
