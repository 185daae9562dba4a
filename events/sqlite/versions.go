package sqlite

import (
	"fmt"
	"runtime/debug"
)

// The driver is C turned into Go against one version of its C library, and is only sound
// with that one. A test holds this pair against the driver's own go.mod.
const (
	driverPath, driverVersion = "modernc.org/sqlite", "v1.61.1"
	libcPath, libcVersion     = "modernc.org/libc", "v1.79.0"
)

// checkPair refuses a program that was linked with another pair than the one that was
// tested. A program built without module information says nothing, and is let through.
func checkPair() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	return checkModules(info.Deps)
}

func checkModules(deps []*debug.Module) error {
	for _, m := range deps {
		linked := m.Version
		if m.Replace != nil {
			linked = m.Replace.Path + "@" + m.Replace.Version
		}
		switch {
		case m.Path == driverPath && linked != driverVersion:
			return fmt.Errorf("this program has %s %s, and was made for %s", driverPath, linked, driverVersion)
		case m.Path == libcPath && linked != libcVersion:
			return fmt.Errorf("this program has %s %s, but %s %s needs %s", libcPath, linked, driverPath, driverVersion, libcVersion)
		}
	}
	return nil
}
