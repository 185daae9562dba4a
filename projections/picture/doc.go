// Package picture turns a [domain.Scene] into what people look at: SVG for pages, PNG for
// mails. Both show the same drawing; neither knows any game.
//
// SVG scales and carries links; PNG is a palette of at most 64 opaque colours, because mail
// programs show no SVG and a mail must stay small.
package picture
