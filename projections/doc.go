// Package projections holds what people read. It is made from the log and is never a source of truth: views (inbox and
// lobby), turn (what a "your turn" page or mail says), ics (calendars), picture (a drawing to SVG and PNG) and words
// (values to sentences in a language).
//
// What must not live here: how anything is served or sent, and any rule of a game.
package projections
