// Package table is what lies on the table in Catan before anybody plays: the island and its
// numbers, cards and costs, what people call them, and the options. It knows no state.
package table
