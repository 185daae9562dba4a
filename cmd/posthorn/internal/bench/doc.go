// Package bench implements "posthorn bench", which measures parts of the house on this machine, and holds the
// benchmarks of the whole house. Nothing that a running house needs belongs here.
package bench
