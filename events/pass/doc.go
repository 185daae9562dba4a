// Package pass makes and reads capabilities: links that let one person do one thing at one place,
// until it is done or withdrawn.
//
// A pass is stateless. Its text carries its [Facts] and a MAC over them, made with a key of
// the server, so nothing is stored, nothing can be guessed, and the same facts always give
// the same bytes: a mail that is composed or sent again is the same mail. A pass ends when
// its decision is taken (its [Mark] or version is no longer where the stream stands: the
// desk knows), when it expires, or when its person withdraws all passes, which counts up the
// epoch that is among the facts.
//
// Opening a pass never does anything; only a command given with it does. Its text is a
// secret: it is held in a [Token], which shows itself to nobody by accident. What may not
// live here: what a pass's purpose does, and any record of passes.
package pass
