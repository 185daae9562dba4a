// Package house wires one house: it opens every part in order, serves and closes them, and does what only a whole house
// can, such as banning and forgetting. Choosing the server that writes does not belong here, and neither do
// sub-commands.
package house
