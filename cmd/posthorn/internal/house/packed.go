package house

import "posthorn/events/packs"

// PacksFolder is the folder in the data folder for packs of long lines. It is not part of a backup and can be rebuilt
// at any time.
const PacksFolder = "packs"

// openPacks lets the desk fold long lines from packs, which may be deleted at any time.
func (h *House) openPacks() {
	p := packs.Open(h.Path(PacksFolder), h.Keys, h.Log, packs.DefaultRoom, func(err error) {
		h.Logger.Warn("lines that are read again and again cannot be packed; they are read from the log", "error", err)
	})
	h.Closers = append(h.Closers, p)
	h.Desk.ReadLines(p)
}
