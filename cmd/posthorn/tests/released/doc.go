// Package released holds the tests that what released programs wrote stays readable, and the files that they wrote, which are never rewritten.
// Nothing else belongs here.
package released
