// Package desk runs every command from every door: it folds a table from the log, asks the judge, appends the event and
// answers. It also says what each table asks of whom, until when, and what follows by itself.
//
// What must not live here: how events are stored (events and its logs), how anything is shown, mailed or served, and
// any rule of a game.
package desk
