package house

import (
	nethttp "net/http"
)

// whileLeased hands requests to elsewhere, which answers like a server that stands by, from the moment another server
// may write. A server that was paused may carry on without noticing, so whileLeased asks held before a request begins
// and again before its answer goes out: what was written in between stays here, and nobody must take it for done.
// (Events in the log need this least, since the cluster refuses them.)
func whileLeased(held func() bool, next, elsewhere nethttp.Handler) nethttp.Handler {
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if !held() {
			elsewhere.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&heldWriter{ResponseWriter: w, held: held, late: func() { elsewhere.ServeHTTP(w, r) }}, r)
	})
}

// heldWriter sends an answer only if the lease is still held when the answer begins.
type heldWriter struct {
	nethttp.ResponseWriter
	held        func() bool
	late        func() // answers instead
	begun, mute bool
}

// WriteHeader implements [nethttp.ResponseWriter].
func (w *heldWriter) WriteHeader(status int) {
	if w.mute {
		return
	}
	if !w.begun && status >= nethttp.StatusOK {
		w.begun = true
		if !w.held() {
			w.mute = true
			clear(w.Header())
			w.late()
			return
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [nethttp.ResponseWriter].
func (w *heldWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(nethttp.StatusOK)
	}
	if w.mute {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// FlushError sends what was written; [nethttp.ResponseController] calls it.
func (w *heldWriter) FlushError() error {
	if !w.begun {
		w.WriteHeader(nethttp.StatusOK)
	}
	if w.mute {
		return nil
	}
	return nethttp.NewResponseController(w.ResponseWriter).Flush()
}

// Flush implements [nethttp.Flusher].
func (w *heldWriter) Flush() { _ = w.FlushError() }

// Unwrap is for [nethttp.ResponseController].
func (w *heldWriter) Unwrap() nethttp.ResponseWriter { return w.ResponseWriter }
