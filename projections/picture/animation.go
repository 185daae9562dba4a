package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"

	"posthorn/domain"
)

// Limits on an animation.
const (
	MostFrames    = 60      // scenes that it shows; the caller thins out a longer list
	mostAnimation = 4 << 20 // bytes; above that, every other frame is left out
	leastFrames   = 8
)

// AnimationOptions say how large an animation is and how fast it runs, in hundredths of a second.
type AnimationOptions struct {
	Width int // one of Widths
	Delay int // of each frame
	Last  int // of the last frame
}

// Animation writes scenes as a looping GIF: one after the other, each placed where it lies within all of them. It uses
// a painter of its own, so that it pushes nothing out of the house's caches. The caller limits how many run at once.
func Animation(ctx context.Context, scenes []domain.Scene, opt AnimationOptions) ([]byte, error) {
	if len(scenes) == 0 || len(scenes) > MostFrames {
		return nil, fmt.Errorf("an animation of %d pictures is not made", len(scenes))
	}
	x0, y0, x1, y1 := scenes[0].X, scenes[0].Y, scenes[0].X+scenes[0].W, scenes[0].Y+scenes[0].H
	for _, s := range scenes[1:] {
		x0, y0, x1, y1 = min(x0, s.X), min(y0, s.Y), max(x1, s.X+s.W), max(y1, s.Y+s.H)
	}
	painter := NewPainter()
	frames := make([]*image.Paletted, 0, len(scenes))
	for _, s := range scenes {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("paint an animation: %w", err)
		}
		s.X, s.Y, s.W, s.H = x0, y0, x1-x0, y1-y0
		data, err := painter.PNG(s, PNGOptions{Width: opt.Width, Scale: 1})
		if err != nil {
			return nil, err
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("paint an animation: %w", err)
		}
		frame, ok := img.(*image.Paletted)
		if !ok || len(frame.Palette) > 255 {
			return nil, fmt.Errorf("paint an animation: a picture has no palette")
		}
		frames = append(frames, frame)
	}
	for {
		data, err := joined(frames, opt)
		if err != nil || len(data) <= mostAnimation || len(frames) <= leastFrames {
			return data, err
		}
		var fewer []*image.Paletted
		for i, f := range frames {
			if i%2 == (len(frames)-1)%2 { // the last one stays
				fewer = append(fewer, f)
			}
		}
		frames = fewer
	}
}

// joined writes frames one after the other, of each only what has changed.
func joined(frames []*image.Paletted, opt AnimationOptions) ([]byte, error) {
	out := &gif.GIF{Config: image.Config{Width: frames[0].Rect.Dx(), Height: frames[0].Rect.Dy()}}
	for i, f := range frames {
		shown := f
		if i > 0 {
			if shown = changed(frames[i-1], f); shown == nil {
				out.Delay[len(out.Delay)-1] += opt.Delay
				continue
			}
		}
		out.Image, out.Delay, out.Disposal = append(out.Image, shown), append(out.Delay, opt.Delay),
			append(out.Disposal, gif.DisposalNone)
	}
	out.Delay[len(out.Delay)-1] = opt.Last
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, out); err != nil {
		return nil, fmt.Errorf("write an animation: %w", err)
	}
	return b.Bytes(), nil
}

// changed returns the part of a frame that differs from the previous one, transparent where it does not; nil if nothing
// differs.
func changed(before, f *image.Paletted) *image.Paletted {
	same := make([][]bool, len(before.Palette)) // by number in the previous frame, then number in this one
	for i, c := range before.Palette {
		same[i] = make([]bool, len(f.Palette))
		for j, d := range f.Palette {
			same[i][j] = color.RGBAModel.Convert(c) == color.RGBAModel.Convert(d)
		}
	}
	part := image.Rectangle{Min: f.Rect.Max, Max: f.Rect.Min}
	for y := f.Rect.Min.Y; y < f.Rect.Max.Y; y++ {
		a, b := before.Pix[(y-f.Rect.Min.Y)*before.Stride:], f.Pix[(y-f.Rect.Min.Y)*f.Stride:]
		for x := range f.Rect.Dx() {
			if !same[a[x]][b[x]] {
				part.Min.X, part.Max.X = min(part.Min.X, x), max(part.Max.X, x+1)
				part.Min.Y, part.Max.Y = min(part.Min.Y, y), max(part.Max.Y, y+1)
			}
		}
	}
	if part.Empty() {
		return nil
	}
	clear := uint8(len(f.Palette))
	out := image.NewPaletted(part, append(append(color.Palette{}, f.Palette...), color.RGBA{}))
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			n := f.ColorIndexAt(x, y)
			if same[before.ColorIndexAt(x, y)][n] {
				n = clear
			}
			out.SetColorIndex(x, y, n)
		}
	}
	return out
}
