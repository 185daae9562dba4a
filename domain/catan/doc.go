// Package catan is the rulebook of Catan: the base game for three and four seats, and
// Catan for two.
//
// The numbers in comments are the points of the rules as the tests are named after them:
// "Catan base game, 34" is the base rules' point on roads, "Catan for two, 8" the owner's
// rulebook on building for the neutrals, and A1 to A20 and 8.1 to 8.9 the readings taken
// where a text allows two.
package catan
