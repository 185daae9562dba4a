// Package projections is what people read, made from the log and never a source of truth:
// views (inbox and lobby), turn (what a "your turn" page or mail says), picture (a drawing
// to SVG and PNG) and words (values to sentences in a language).
//
// What may not live here: how anything is served or sent, and any rule of a game.
package projections
