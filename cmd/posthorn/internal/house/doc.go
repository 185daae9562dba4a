// Package house is one house, wired: every part opened in order, served and closed, and what only a whole house does, such as banning
// and forgetting. Which of several servers is the one that writes is no matter of this package, and neither are sub-commands.
package house
