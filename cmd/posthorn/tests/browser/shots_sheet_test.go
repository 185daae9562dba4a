//go:build shots

package browser

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// A contact sheet shows small pictures side by side with their names, so that ugly ones are seen at a glance.
const (
	sheetColumns = 8
	sheetRows    = 3
	sheetWide    = 240 // of a small picture
	sheetHigh    = 520 // at most; the rest is cut off
	sheetGap     = 12
	sheetName    = 18
)

// contacts makes the contact sheets for each folder of pictures.
func (w wishes) contacts(progress func(string, ...any)) error {
	folders, err := filepath.Glob(filepath.Join(w.dir, "*", "*-*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.png"))
		if err != nil {
			return err
		}
		slices.Sort(files)
		n := 0
		for some := range slices.Chunk(files, sheetColumns*sheetRows) {
			n++
			out := filepath.Join(w.dir, fmt.Sprintf("sheet-%s-%s-%d.png", filepath.Base(filepath.Dir(folder)),
				filepath.Base(folder), n))
			if err := contact(out, some); err != nil {
				return fmt.Errorf("%s: %w", out, err)
			}
			progress("%s: %d pictures", out, len(some))
		}
	}
	return nil
}

func contact(out string, files []string) error {
	rows := (len(files) + sheetColumns - 1) / sheetColumns
	sheet := image.NewRGBA(image.Rect(0, 0, sheetGap+sheetColumns*(sheetWide+sheetGap),
		sheetGap+rows*(sheetHigh+sheetName+sheetGap)))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.Gray{0x88}), image.Point{}, draw.Src)
	for i, name := range files {
		img, err := readPNG(name)
		if err != nil {
			return err
		}
		at := image.Pt(sheetGap+i%sheetColumns*(sheetWide+sheetGap),
			sheetGap+i/sheetColumns*(sheetHigh+sheetName+sheetGap))
		part := img.Bounds()
		part.Max.Y = min(part.Max.Y, part.Min.Y+part.Dx()*sheetHigh/sheetWide)
		high := part.Dy() * sheetWide / part.Dx()
		draw.ApproxBiLinear.Scale(sheet,
			image.Rectangle{at, at.Add(image.Pt(sheetWide, high))}.Add(image.Pt(0, sheetName)), img, part, draw.Src,
			nil)
		d := font.Drawer{Dst: sheet, Src: image.White, Face: basicfont.Face7x13, Dot: fixed.P(at.X, at.Y+13)}
		d.DrawString(strings.TrimSuffix(filepath.Base(name), ".png"))
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := png.Encode(f, sheet); err != nil {
		_ = f.Close() // the picture is incomplete anyway
		return err
	}
	return f.Close()
}

func readPNG(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return png.Decode(f)
}
