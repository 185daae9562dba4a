package relay

// Checkpoints is the subject of the checkpoints of the log (see events/checkpoint). No stream keeps it: what is
// published there is the latest, once more after each connection, and positions are the log's alone.
const Checkpoints = "posthorn.checkpoint"

// Announce publishes a signed checkpoint to whoever listens now, and again whenever NATS is there anew, until the
// next one. Nobody waits for it.
func (r *Relay) Announce(note string) {
	r.set(func() { r.note = note })
	r.announce()
}

// announce publishes the latest checkpoint, if there is one and NATS is there. What is lost is published again
// with the next connection.
func (r *Relay) announce() {
	r.mu.Lock()
	js, note := r.js, r.note
	r.mu.Unlock()
	if js != nil && note != "" {
		_ = js.Conn().Publish(Checkpoints, []byte(note)) // a connection that is gone is the session's to notice
	}
}
