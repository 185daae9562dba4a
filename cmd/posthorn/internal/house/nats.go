package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"posthorn/events"
	"posthorn/events/relay"
	"posthorn/events/safe"
)

// NATSSettings say where an external NATS cluster is, and which user connects to it.
type NATSSettings struct {
	NATS         string `name:"nats" help:"An external NATS cluster, e.g. nats://a:4222,nats://b:4222. By default a server in this process."`
	NATSCreds    string `name:"nats-creds" type:"existingfile" help:"The credentials file (.creds) of the user at the NATS cluster."`
	NATSNKey     string `name:"nats-nkey" type:"existingfile" help:"A file with the nkey seed of the user at the NATS cluster."`
	NATSCA       string `name:"nats-ca" type:"existingfile" help:"The certificates (PEM) of who vouches for the NATS servers, where that is not an authority that this machine knows."`
	NATSCert     string `name:"nats-cert" type:"existingfile" help:"A certificate (PEM) that is shown to the NATS servers, with --nats-key."`
	NATSKey      string `name:"nats-key" type:"existingfile" help:"The key (PEM) of --nats-cert."`
	NATSReplicas int    `name:"nats-replicas" default:"1" help:"On how many servers of the cluster what Posthorn makes there is kept: 1, 3 or 5. A stream that is there already stays as it is."`
}

// errNoCluster is returned where settings for a cluster are given, but no cluster.
var errNoCluster = errors.New("there is no external NATS cluster: name it with --nats")

// Relay returns how the relay reaches the cluster, if there is one.
func (s NATSSettings) Relay() (o relay.Options, err error) {
	o = relay.Options{URL: s.NATS, Replicas: s.NATSReplicas}
	if s.NATS == "" {
		if s.NATSCreds+s.NATSNKey+s.NATSCA+s.NATSCert+s.NATSKey != "" || s.NATSReplicas > 1 {
			return o, errNoCluster
		}
		return o, nil
	}
	if (s.NATSCert == "") != (s.NATSKey == "") {
		return o, errors.New("--nats-cert and --nats-key belong together: give both, or neither")
	}
	if s.NATSReplicas < 0 || s.NATSReplicas > 5 || s.NATSReplicas > 0 && s.NATSReplicas%2 == 0 {
		return o, fmt.Errorf("--nats-replicas %d: it is 1, 3 or 5; of an even number, half is no majority",
			s.NATSReplicas)
	}
	if s.NATSCreds != "" {
		o.Connect = append(o.Connect, nats.UserCredentials(s.NATSCreds))
	}
	if s.NATSNKey != "" {
		key, err := nats.NkeyOptionFromSeed(s.NATSNKey)
		if err != nil {
			return o, fmt.Errorf("--nats-nkey: %w", err)
		}
		o.Connect = append(o.Connect, key)
	}
	if s.NATSCA != "" {
		o.Connect = append(o.Connect, nats.RootCAs(s.NATSCA))
	}
	if s.NATSCert != "" {
		o.Connect = append(o.Connect, nats.ClientCert(s.NATSCert, s.NATSKey))
	}
	return o, nil
}

// AckWait is how long the cluster may take to confirm a record that somebody waits for.
const AckWait = 3 * time.Second

// openRelay starts copying the log to NATS. With --safe replicated, it waits until the cluster has the whole log.
func (h *House) openRelay(ctx context.Context, file events.Log) (err error) {
	o, err := h.Config.Relay()
	if err != nil {
		return err
	}
	o.Keys = h.Keys
	replicated := h.Config.Safe == "replicated"
	if replicated && o.URL == "" {
		return fmt.Errorf("--safe replicated: %w", errNoCluster)
	}
	if replicated {
		o.AckWait = AckWait
	}
	if o.URL == "" {
		o.Dir = h.Path("nats")
		o.Kept = func(dir string) {
			h.Logger.Warn("the copy of the log that NATS held goes further than events.db: it is kept, "+
				"and a new one is filled", "folder", dir)
		}
	}
	if h.Relay, err = relay.Start(file, o); err != nil {
		return err
	}
	h.Follower = h.Relay
	if !replicated {
		h.Closers = append(h.Closers, h.Relay)
		return nil
	}
	log := safe.New(file, h.Relay, cmp.Or(h.Config.SafeWait, safe.DefaultPatience))
	h.Closers = append(h.Closers, log, h.Relay)
	// this log holds only what is safe, so everything reads it
	h.Log, h.Safe, h.Follower = log, log, events.FollowLog(log)
	return h.whole(ctx, file)
}

// whole waits until the cluster has the whole log; nothing of it may be shown earlier.
func (h *House) whole(ctx context.Context, file events.Log) error {
	last, err := file.Last(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-h.Relay.Alarmed():
			cancel(h.Relay.Health().Alarm)
		case <-waiting.Done():
		}
	}()
	h.Logger.Info("waiting for the NATS cluster to hold the whole log", "position", last)
	if err := h.Relay.Synced(waiting, last); err != nil {
		return fmt.Errorf("--safe replicated: %w", context.Cause(waiting))
	}
	return nil
}

// relayed says how the copy in NATS is doing. A house without one has nothing to say.
func (h *House) relayed() (health relay.Health) {
	if h.Relay != nil {
		health = h.Relay.Health()
	}
	return health
}

// announce publishes a checkpoint to NATS.
func (h *House) announce(note string) {
	if h.Relay != nil {
		h.Relay.Announce(note)
	}
}
