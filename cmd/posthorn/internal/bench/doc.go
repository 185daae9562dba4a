// Package bench is "posthorn bench", which measures parts of the house on this machine, and the benchmarks of the whole house.
// Nothing that a served house needs lives here.
package bench
