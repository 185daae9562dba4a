package door

// What a visit does is sorted by subject, as in the pages. Each subject is the visit itself, with the methods of its
// own files; what all of them need is the visit's own.
type (
	// Commands are what the reader wants of the desk: moves, actions, words.
	Commands struct{ *Visit }
	// Invitations are who is at a table or asked to come, and how they are named in commands.
	Invitations struct{ *Visit }
	// NewTables are the tables that the reader opens.
	NewTables struct{ *Visit }
	// Lists are the reader's tables.
	Lists struct{ *Visit }
	// Loans are the seats that the reader's browser was lent by links in mails.
	Loans struct{ *Visit }
	// History is what happened at a table, as the reader may know it: moments, branches, audit, record.
	History struct{ *Visit }
	// Studies are the reader's studies, and those that others share with them.
	Studies struct{ *Visit }
	// Settings are the reader's own: mails, notes, holidays, tokens, webhooks.
	Settings struct{ *Visit }
)

// Commands returns the subject.
func (v *Visit) Commands() Commands { return Commands{v} }

// Invitations returns the subject.
func (v *Visit) Invitations() Invitations { return Invitations{v} }

// NewTables returns the subject.
func (v *Visit) NewTables() NewTables { return NewTables{v} }

// Lists returns the subject.
func (v *Visit) Lists() Lists { return Lists{v} }

// Loans returns the subject.
func (v *Visit) Loans() Loans { return Loans{v} }

// History returns the subject.
func (v *Visit) History() History { return History{v} }

// Studies returns the subject.
func (v *Visit) Studies() Studies { return Studies{v} }

// Settings returns the subject.
func (v *Visit) Settings() Settings { return Settings{v} }
