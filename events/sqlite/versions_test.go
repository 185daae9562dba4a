package sqlite

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePairIsTheOneTheDriverWasMadeWith(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-json", driverPath).Output()
	require.NoError(t, err)
	var module struct{ Version, GoMod string }
	require.NoError(t, json.Unmarshal(out, &module))
	require.Equal(t, module.Version, driverVersion)
	gomod, err := os.ReadFile(module.GoMod)
	require.NoError(t, err)
	needs := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(libcPath) + `\s+(\S+)`).FindSubmatch(gomod)
	require.NotNil(t, needs)
	require.Equal(t, string(needs[1]), libcVersion)
}

func TestAnotherPairIsRefused(t *testing.T) {
	pair := func(driver, libc string) []*debug.Module {
		return []*debug.Module{{Path: "other", Version: "v1"}, {Path: driverPath, Version: driver},
			{Path: libcPath, Version: libc}}
	}
	require.NoError(t, checkModules(pair(driverVersion, libcVersion)))
	require.ErrorContains(t, checkModules(pair(driverVersion, "v1.0.0")), "v1.0.0")
	require.ErrorContains(t, checkModules(pair("v1.0.0", libcVersion)), "v1.0.0")
	replaced := pair(driverVersion, libcVersion)
	replaced[2].Replace = &debug.Module{Path: "elsewhere/libc", Version: libcVersion}
	require.ErrorContains(t, checkModules(replaced), "elsewhere/libc")
}
