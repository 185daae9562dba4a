// Package table is what lies on the table in Carcassonne before anybody plays: the tiles and
// their shapes, and the options. It knows no state.
package table
