package pages

import (
	"bytes"
	"context"
	"errors"
	nethttp "net/http"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/guard"
	"posthorn/projections/picture"
)

// A finished game is also available as an animation, the same for everybody: its main panel as strangers see it. Making
// it takes about a second of processor time, so only one is made at a time, a few may wait, and finished ones are kept.

const (
	animationsBytes = 16 << 20 // bytes of animations kept
	animationQueue  = 3        // how many may wait while one is made
	animationWithin = 20 * time.Second
)

// animation sends the game of the address as an animated GIF.
func (v pastPages) animation() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if look.Line == nil || !look.Table.IsOver() {
		return events.ErrNoStream
	}
	name := look.LineHead.Hash.String()
	h := v.Response().Header()
	h.Set("Content-Type", "image/gif")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("Content-Disposition", `inline; filename="posthorn-`+v.Table.String()[:8]+`.gif"`)
	h.Set("ETag", `"`+name+`"`)
	h.Set("Cache-Control", "private, max-age=604800")
	if v.Request().Header.Get("If-None-Match") == `"`+name+`"` {
		return v.NoContent(nethttp.StatusNotModified)
	}
	if v.Request().Method == nethttp.MethodHead { // make nothing for it
		return v.NoContent(nethttp.StatusOK)
	}
	data, err := v.animated(look, name)
	if err != nil {
		h.Del("Content-Disposition")
		h.Del("ETag")
		h.Set("Cache-Control", "no-store")
		return err
	}
	nethttp.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(data))
	return nil
}

// animated returns an animation from the store, or makes it.
func (v pastPages) animated(look desk.Look, name string) ([]byte, error) {
	if data, ok := v.site.animations.Get(name); ok {
		return data, nil
	}
	leave, err := v.site.animating.Enter(v.Ctx())
	var full guard.Full
	if errors.As(err, &full) {
		return nil, guard.Busy(full)
	}
	if err != nil {
		return nil, err
	}
	defer leave()
	if data, ok := v.site.animations.Get(name); ok { // somebody else asked for it meanwhile
		return data, nil
	}
	ctx, stop := context.WithTimeout(v.Ctx(), animationWithin)
	defer stop()
	scenes, err := v.scenes(ctx, look)
	if err != nil {
		return nil, err
	}
	data, err := picture.Animation(ctx, scenes, picture.AnimationOptions{Width: 500, Delay: 40, Last: 400})
	if err == nil {
		v.site.animations.Put(name, data)
	}
	return data, err
}

// scenes returns the main panel as strangers see it at moments spread over the main line, ending with its last.
func (v pastPages) scenes(ctx context.Context, look desk.Look) (out []domain.Scene, err error) {
	last := look.Line.Version
	step := max(1, (last+picture.MostFrames-1)/picture.MostFrames)
	err = v.Desk.Guard(look.Name, func() error {
		return v.Desk.Walk(ctx, look, look.LineName, func(line *domain.Line, rec *events.Record) error {
			if (last-rec.Version)%step != 0 {
				return nil
			}
			scene, err := mainScenes(look.Rulebook, line.State)
			if err == nil {
				out = append(out, scene)
			}
			return errors.Join(err, ctx.Err())
		})
	})
	return out, err
}

// mainScenes returns all main panels of a state as strangers see it, stacked in one scene.
func mainScenes(rb domain.Rulebook, state domain.State) (domain.Scene, error) {
	var mains []domain.Scene
	for i, p := range rb.Draw(rb.View(state, domain.Spectator), domain.Sketch{}) {
		if i == 0 || p.Weight == domain.PanelMain {
			mains = append(mains, p.Scene)
		}
	}
	return stacked(mains)
}

// stacked returns one scene of several, one below the other.
func stacked(scenes []domain.Scene) (domain.Scene, error) {
	const gap = 20
	if len(scenes) == 0 {
		return domain.Scene{}, events.ErrNoStream
	}
	out := scenes[0]
	for _, next := range scenes[1:] {
		for _, sym := range next.Symbols {
			if !slices.ContainsFunc(out.Symbols, func(s domain.Symbol) bool { return s.ID == sym.ID }) {
				out.Symbols = append(slices.Clip(out.Symbols), sym)
			}
		}
		out.Shapes = append(slices.Clip(out.Shapes),
			domain.Shape{Group: next.Shapes, At: domain.Point{Y: out.Y + out.H + gap - next.Y}})
		left, right := min(out.X, next.X), max(out.X+out.W, next.X+next.W)
		out.X, out.W, out.H = left, right-left, out.H+gap+next.H
	}
	return out, nil
}
