// Package relay carries the log to NATS JetStream and back to whoever follows it.
//
// SQLite decides, JetStream distributes: the relay publishes the record at position n
// under the condition that the stream's last sequence is n-1, so the stream's sequence is
// the log's position. That needs no checkpoint and no window for duplicates, and whatever
// JetStream lost at its end is published again. A stream that holds something else than
// the log is a copy gone wrong: the embedded server's is wiped and filled anew, an external
// one is never touched and the relay stops with an alarm (see [Relay.Health]).
//
// [Relay.Follow] is the one subscription through which projections and the notifier read.
// Its source is JetStream; whenever NATS is away, slow or in alarm it goes on from the log
// itself. Nothing in the house ever waits for NATS.
//
// What may not live here: what the events mean, and unsealing them.
package relay
