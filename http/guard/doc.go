// Package guard is what every request passes, whatever it asks for: where it may come from, how
// much it may send and how fast, what every answer carries, and how often one asker may ask. It
// knows neither people nor tables.
package guard
