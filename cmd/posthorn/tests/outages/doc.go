// Package outages holds the tests in which something breaks off: the program, the power, the disk, NATS, one machine of several, or a version.
// What people see while all is well does not belong here.
package outages
