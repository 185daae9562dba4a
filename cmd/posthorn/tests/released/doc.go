// Package released holds the tests that files of released programs stay readable, and these files, which are never
// rewritten. Nothing else belongs here.
package released
