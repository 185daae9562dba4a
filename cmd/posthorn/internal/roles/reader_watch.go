package roles

import (
	"fmt"
	nethttp "net/http"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"posthorn/cmd/posthorn/internal/house"
)

// readFigures are the figures that a monitor gets from a server that only reads.
type readFigures struct {
	r        *reading
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
}

func (r *reading) figures() *readFigures {
	f := &readFigures{r: r, registry: prometheus.NewRegistry(), requests: house.RequestTimes()}
	for of, at := range map[string]func() uint64{"log": r.at.Load, "nats": r.end.Load,
		"views": r.house.Views.Position} {
		f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "posthorn_position",
			Help:        "How far the log of this server goes, which only reads, its lists, and the stream.",
			ConstLabels: prometheus.Labels{"of": of}}, func() float64 { return float64(at()) }))
	}
	f.registry.MustRegister(f.requests, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "posthorn_passed_on_total",
			Help: "Requests that were passed on to the server that writes."}, func() float64 {
			return float64(r.sender.Passed())
		}))
	return f
}

func (f *readFigures) timed(next nethttp.Handler) nethttp.Handler {
	return promhttp.InstrumentHandlerDuration(f.requests, next)
}

// handler answers a monitor.
func (f *readFigures) handler() nethttp.Handler {
	mux := nethttp.NewServeMux()
	mux.HandleFunc("GET /healthz", func(out nethttp.ResponseWriter, _ *nethttp.Request) { fmt.Fprintln(out, "ok") })
	mux.HandleFunc("GET /readyz", func(out nethttp.ResponseWriter, _ *nethttp.Request) {
		lacks := f.r.lacks()
		if time.Since(time.UnixMilli(f.r.saw.Load())) > standSaw {
			lacks = append(lacks, "how far behind is not known: the cluster does not answer")
		}
		if len(lacks) > 0 {
			nethttp.Error(out, "reader: "+strings.Join(lacks, "; "), nethttp.StatusServiceUnavailable)
			return
		}
		at, end := f.r.at.Load(), f.r.end.Load()
		fmt.Fprintf(out, "reader, %d events behind\n", max(at, end)-at)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}))
	return mux
}

// refusals logs what NATS refuses, mostly for lack of permission for a subject.
func (s *standing) refusals() nats.Option {
	return nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		s.trouble(fmt.Errorf("NATS: %w", err))
	})
}
