// Package api is the browser's door for programs: JSON under /api/v1, as openapi.json describes it.
package api
