package desk

// How much the desk keeps when nothing has happened for a while: the tables used last. It reads and folds anything
// else again when somebody asks for it.
const (
	restFolded = 8
	restShown  = 8
	restPast   = 8
)

// Rest drops everything but what was asked for last.
func (d *Desk) Rest() {
	d.tables.Trim(restFolded)
	d.shown.Trim(restShown)
	d.past.folded.Trim(restPast)
	d.past.closed.Trim(pastClosed / 16)
}
