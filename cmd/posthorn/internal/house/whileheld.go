package house

import (
	nethttp "net/http"
)

// whileHeld answers as a server that stands by does from the moment on at which somebody else may write. Whoever was paused meanwhile
// may not have noticed yet, and goes on where it was, so it is asked before a request is begun, and again before it is answered: what was written
// in between stays here, and nobody may take it for done. (What is in the log needs this least of all: the cluster refuses it.)
func whileHeld(held func() bool, next, elsewhere nethttp.Handler) nethttp.Handler {
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if !held() {
			elsewhere.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&heldWriter{ResponseWriter: w, held: held, late: func() { elsewhere.ServeHTTP(w, r) }}, r)
	})
}

// heldWriter sends an answer if the lease is still held when it begins.
type heldWriter struct {
	nethttp.ResponseWriter
	held        func() bool
	late        func() // answers otherwise
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

// FlushError sends what was written; [nethttp.ResponseController] finds it.
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
