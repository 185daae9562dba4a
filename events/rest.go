package events

// How much the desk keeps where nothing has happened for a while: the tables that were in use last. What else it had is read
// and folded again when somebody asks for it.
const (
	restRooms = 8
	restShown = 8
	restPast  = 8
)

// Rest has the desk keep no more than was asked for last.
func (d *Desk) Rest() {
	d.rooms.Trim(restRooms)
	d.shown.Trim(restShown)
	d.past.folded.Trim(restPast)
	d.past.closed.Trim(pastClosed / 16)
}
