// Package roles serves a house as one of its roles: alone, as one of several that write in turn and stand by meanwhile, or as a reader.
// What is copied between them and whether a server is fit to take over live here; what a house is made of does not.
package roles
