package relay

// Checkpoints is the subject of the log's checkpoints (see events/checkpoint). No stream keeps them: only the latest
// is published, and again after each connection. Positions belong to the log alone.
const Checkpoints = "posthorn.checkpoint"

// Announce publishes a signed checkpoint to everybody listening now, and again whenever NATS comes back, until the
// next one. It does not wait for delivery.
func (r *Relay) Announce(note string) {
	r.set(func() { r.note = note })
	r.announce()
}

// announce publishes the latest checkpoint, if there is one and NATS is there. A lost one is published again with the
// next connection.
func (r *Relay) announce() {
	r.mu.Lock()
	js, note := r.js, r.note
	r.mu.Unlock()
	if js != nil && note != "" {
		_ = js.Conn().Publish(Checkpoints, []byte(note)) // the session notices a lost connection
	}
}
