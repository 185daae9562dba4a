// Package browser holds the tests that play and look as people do, most of them in Chromium. With the tag shots it
// takes pictures of every page. Tests that need only one package do not belong here.
package browser
