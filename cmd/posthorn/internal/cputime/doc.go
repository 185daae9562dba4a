// Package cputime is the processor time that this process has used, on systems that say so. Nothing else lives here.
package cputime
