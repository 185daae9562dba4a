// Package live tells whoever has a table open that it has moved on: one follower of the log, and a
// stream of server-sent events for each reader.
package live
