package house

import "posthorn/events/packs"

// PacksFolder is where the packs of long lines are, in the house's folder: no part of a backup, made anew at any time.
const PacksFolder = "packs"

// openPacks has the desk fold long lines from packs of them, which may be thrown away.
func (h *House) openPacks() {
	p := packs.Open(h.Path(PacksFolder), h.Keys.Fingerprint(), h.Log, packs.DefaultRoom, func(err error) {
		h.Logger.Warn("lines that are read again and again cannot be packed; they are read from the log", "error", err)
	})
	h.Closers = append(h.Closers, p)
	h.Desk.ReadLines(p)
}
