// Package show is what people are shown of Carcassonne: pictures, sentences and the choices
// that lead to a move.
package show
