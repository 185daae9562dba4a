package api

import (
	_ "embed"
	nethttp "net/http"
)

// openAPI describes the API for programs and for whoever writes them. It is written first,
// and tests hold the program to it.
//
//go:embed openapi.json
var openAPI []byte

func description(c *call) (any, error) {
	return nil, c.Blob(nethttp.StatusOK, "application/json", openAPI)
}
