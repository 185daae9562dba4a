package picture

import (
	"image"

	"posthorn/events/recent"
)

type rasterKey struct {
	sum         [16]byte
	scale, turn float64
	dx, dy      float64
}

// raster is a symbol's pixels about its origin. Nobody changes it once it is kept.
type raster struct {
	img    *image.RGBA
	opaque bool
}

type rasters = recent.Store[rasterKey, *raster]
