// Package outages holds the tests in which something fails or is replaced: the program, the power, the disk, NATS, one
// of several machines, or a version. What people see while all is well does not belong here.
package outages
