package house

import (
	"context"
	"fmt"
	"net"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/mail/imap"
)

// watched is what a monitor learns about a house: figures, never a name, an address or a table.
type watched struct {
	h        *House
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	says     *prometheus.CounterVec
	Told     *lastLines
}

// The house is not ready while its views are more than MostBehind events behind the log, or while it takes longer than
// mostWait to answer.
const (
	MostBehind = 1000
	mostWait   = 5 * time.Second
)

func newWatched(h *House) *watched {
	w := &watched{h: h, registry: prometheus.NewRegistry(), Told: &lastLines{},
		requests: RequestTimes(),
		says: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "posthorn_log_lines_total",
			Help: "Lines that the program wrote to its log."}, []string{"level"})}
	w.registry.MustRegister(w.requests, w.says, w, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return w
}

// RequestTimes returns a histogram of how long answers take.
func RequestTimes() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "posthorn_http_request_seconds",
		Help:    "How long answers took.",
		Buckets: []float64{.001, .005, .02, .1, .5, 2, 10}}, []string{"code", "method"})
}

// ForHosts lets a monitor's requests through if they name the machine in a way that no foreign page can have a browser
// name it: by address, by a name without a dot, or by one that the host gave. Otherwise a name that first led elsewhere
// and now leads here would let that page read the answer.
func (s Settings) ForHosts(next nethttp.Handler) nethttp.Handler {
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		name := (&url.URL{Host: r.Host}).Hostname()
		own, _, _ := net.SplitHostPort(s.Watch)
		_, err := netip.ParseAddr(name)
		if err != nil && strings.Contains(name, ".") && !strings.EqualFold(name, own) &&
			!slices.ContainsFunc(s.WatchHosts, func(known string) bool { return strings.EqualFold(known, name) }) {
			nethttp.Error(w, "this is not known under that name: see --watch-hosts", nethttp.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Handler answers a monitor. Serve it only on the host's own network.
func (w *watched) Handler() nethttp.Handler {
	mux := nethttp.NewServeMux()
	mux.HandleFunc("GET /healthz", func(out nethttp.ResponseWriter, _ *nethttp.Request) { fmt.Fprintln(out, "ok") })
	mux.HandleFunc("GET /readyz", func(out nethttp.ResponseWriter, r *nethttp.Request) {
		if troubles := w.troubles(r.Context()); len(troubles) > 0 {
			nethttp.Error(out, strings.Join(troubles, "\n"), nethttp.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(out, "ok")
		for _, note := range w.notes() {
			fmt.Fprintln(out, note)
		}
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(w.registry, promhttp.HandlerOpts{}))
	return mux
}

// troubles lists why pages cannot be relied on now. An outage of NATS or of the mail server is not a trouble: play goes
// on, and what waits for them is counted.
func (w *watched) troubles(ctx context.Context) (out []string) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	last, err := w.h.Log.Last(ctx)
	if err != nil {
		return []string{"the log cannot be read"}
	}
	if at := w.h.Views.Position(); at+MostBehind < last {
		out = append(out, fmt.Sprintf("inbox and lobby are %d events behind the log", last-at))
	}
	if _, err := w.h.Outbox.Position(ctx); err != nil {
		out = append(out, "the mail queue cannot be read")
	}
	for _, f := range w.h.Health.Faults() {
		if f.Grave() {
			out = append(out, f.Text)
		}
	}
	return out
}

// notes lists what the host should mend although pages can be relied on.
func (w *watched) notes() (out []string) {
	if w.h.Health.Stopped() {
		out = append(out, "writes: stopped")
	}
	for _, f := range w.h.Health.Faults() {
		if !f.Grave() {
			out = append(out, f.Text)
		}
	}
	if w.h.Outbox.Fresh {
		out = append(out, AnewNote)
	}
	return out
}

// AnewNote is what is said of a mail queue that was made anew.
const AnewNote = "mail.db is new beside an older log: nobody is written to about what is open already; start " +
	"once with --remind to do so"

// Figures that are read on request.
var (
	position = prometheus.NewDesc("posthorn_position",
		"The last event in the log, and the last that each of its followers has handled.", []string{"of"}, nil)
	natsUp = prometheus.NewDesc("posthorn_nats_up", "1 while NATS is there and its stream is a true copy.", nil,
		nil)
	tablesLive  = prometheus.NewDesc("posthorn_tables_live", "Tables that have not ended.", nil, nil)
	mailWaiting = prometheus.NewDesc("posthorn_mail_waiting",
		"Letters that are due, or were tried, and wait to be sent.", nil, nil)
	mailFailed  = prometheus.NewDesc("posthorn_mail_failed", "Letters that were refused for good.", nil, nil)
	mailStopped = prometheus.NewDesc("posthorn_mail_stopped", "1 while the mail server takes no mail at all.", nil, nil)
	mailboxUp   = prometheus.NewDesc("posthorn_mailbox_up",
		"0 while the mailbox of --inbound cannot be read.", nil, nil)
	mailboxMails = prometheus.NewDesc("posthorn_mailbox_mails_total",
		"Mails in that mailbox since the start: those of this house, which were taken, and those of others, whose "+
			"headers were passed over.", []string{"of"}, nil)
	mailboxWaiting = prometheus.NewDesc("posthorn_mailbox_waiting",
		"Mails of this house there that are to be taken again later.", nil, nil)
	mailboxFaults = prometheus.NewDesc("posthorn_mailbox_faults_total",
		"Connections to that mailbox that were lost or refused.", nil, nil)
	fileBytes = prometheus.NewDesc("posthorn_file_bytes", "The size of a database.", []string{"file"}, nil)
	stopped   = prometheus.NewDesc("posthorn_writes_stopped",
		"1 while the disk takes nothing: pages can be read, and nothing new is stored.", nil, nil)
	faults = prometheus.NewDesc("posthorn_file_faults",
		"Files of the house that are damaged, missing or open to others: the host's page and "+
			"posthorn doctor say which.", nil, nil)
	unread = prometheus.NewDesc("posthorn_figures_missing", "Figures that could not be read this time.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (w *watched) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{position, natsUp, tablesLive, mailWaiting, mailFailed, mailStopped, mailboxUp,
		mailboxMails, mailboxWaiting, mailboxFaults, fileBytes, stopped, faults, unread} {
		to <- d
	}
}

// Collect implements [prometheus.Collector]. It leaves out a figure that cannot be read, and counts it.
func (w *watched) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), mostWait)
	defer cancel()
	missing := 0
	tell := func(d *prometheus.Desc, v float64, err error, labels ...string) {
		if err != nil {
			missing++
			return
		}
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	last, err := w.h.Log.Last(ctx)
	tell(position, float64(last), err, "log")
	tell(position, float64(w.h.Views.Position()), nil, "views")
	mailed, err := w.h.Outbox.Position(ctx)
	tell(position, float64(mailed), err, "notifier")
	health := w.h.relayed()
	tell(position, float64(health.Published), nil, "nats")
	tell(natsUp, oneIf(health.Up), nil)
	live, _, err := w.h.Views.Live(ctx)
	tell(tablesLive, float64(len(live)), err)
	standing, err := w.h.Outbox.Standing(ctx)
	tell(mailWaiting, float64(standing.Letters), err)
	tell(mailStopped, oneIf(standing.Stopped()), err)
	failed, err := w.h.Outbox.Failed(ctx)
	tell(mailFailed, float64(len(failed)), err)
	w.mailbox(to)
	for _, name := range folder.KeptDatabases {
		info, err := os.Stat(w.h.Path(name))
		if err != nil {
			missing++
			continue
		}
		tell(fileBytes, float64(info.Size()), nil, name)
	}
	tell(stopped, oneIf(w.h.Health.Stopped()), nil)
	tell(faults, float64(len(w.h.Health.Faults())), nil)
	tell(unread, float64(missing), nil)
}

// mailbox collects the figures of a mailbox at a provider.
func (w *watched) mailbox(to chan<- prometheus.Metric) {
	s := imap.Standing{Up: true} // there is none to be read
	if w.h.Fetcher != nil {
		s = w.h.Fetcher.Standing()
	}
	for _, f := range []struct {
		of     *prometheus.Desc
		kind   prometheus.ValueType
		is     float64
		labels []string
	}{{mailboxUp, prometheus.GaugeValue, oneIf(s.Up), nil},
		{mailboxMails, prometheus.CounterValue, float64(s.Ours), []string{"ours"}},
		{mailboxMails, prometheus.CounterValue, float64(s.Others), []string{"others"}},
		{mailboxWaiting, prometheus.GaugeValue, float64(s.Waiting), nil},
		{mailboxFaults, prometheus.CounterValue, float64(s.Faults), nil}} {
		to <- prometheus.MustNewConstMetric(f.of, f.kind, f.is, f.labels...)
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Timed wraps a handler and measures how long its answers take.
func (w *watched) Timed(next nethttp.Handler) nethttp.Handler {
	return promhttp.InstrumentHandlerDuration(w.requests, next)
}
