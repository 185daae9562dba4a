// Package show is what is seen and said of the Rivals: panels, steps, descriptions, stories and
// cards.
package show
