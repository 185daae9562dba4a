package main

import "posthorn/events/packs"

// packsFolder is where the packs of long lines are, in the house's folder: no part of a backup, made anew at any time.
const packsFolder = "packs"

// openPacks has the desk fold long lines from packs of them, which may be thrown away.
func (h *house) openPacks() {
	p := packs.Open(h.path(packsFolder), h.keys.Fingerprint(), h.log, packs.DefaultRoom, func(err error) {
		h.logger.Warn("lines that are read again and again cannot be packed; they are read from the log", "error", err)
	})
	h.closers = append(h.closers, p)
	h.desk.ReadLines(p)
}
