// Package cputime measures the processor time that this process has used, on systems that report it. Nothing else
// belongs here.
package cputime
