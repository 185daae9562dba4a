// Package browser holds the tests that play and look as people do, most of them in Chromium, and makes the pictures of every page (tag shots).
// Tests of one package alone do not belong here.
package browser
