// Package roles serves a house in one of its roles: alone, as one of several that write in turn and stand by meanwhile,
// or as a reader. It copies what these servers share and decides whether one is fit to take over. What a house consists
// of does not belong here.
package roles
