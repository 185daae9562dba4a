//go:build !linux

package main

// becomesUnsynced is of Linux.
func becomesUnsynced() {}
