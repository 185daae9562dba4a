package codec

import (
	"reflect"
	"unsafe"
)

// stock is memory for values of one type: the elements of lists, and what pointers point to. A Reader cuts many from
// one piece, as most are small, and nothing is cut twice: what was read stays valid.
type stock struct {
	of   *plan
	next unsafe.Pointer // nil if nothing is left
	left int            // values
	made int            // values in the last piece
}

// most is how many bytes a piece has for more than one list.
const most = 1 << 10

// stockOf returns the stock for the elements of p, a list or a pointer.
func (r *Reader) stockOf(p *plan) *stock {
	for i := range r.stocks {
		if s := &r.stocks[i]; s.of == p.of {
			return s
		}
	}
	r.stocks = append(r.stocks, stock{of: p.of})
	return &r.stocks[len(r.stocks)-1]
}

// take cuts memory for n zero values. Each new piece is twice as large as the last: a Reader that reads little gets
// little.
func (s *stock) take(n int, p *plan) unsafe.Pointer {
	if p.of.size == 0 {
		return unsafe.Pointer(&nothing)
	}
	if s.left < n {
		s.made = max(n, p.n, min(2*s.made, int(most/p.of.size)))
		s.left, s.next = s.made, reflect.MakeSlice(p.many, s.made, s.made).UnsafePointer()
	}
	at := s.next
	s.left -= n
	if s.next = nil; s.left > 0 { // else it would point to what comes after the piece
		s.next = unsafe.Add(at, uintptr(n)*p.of.size)
	}
	return at
}

// grow gives a list that is full room for more.
func (r *Reader) grow(p *plan, here *slice) {
	s := r.stockOf(p)
	if s.left > 0 && uintptr(s.next) == uintptr(here.data)+uintptr(here.cap)*p.of.size {
		// as numbers: nothing may point past a piece
		s.take(1, p) // what follows the list
		here.cap++
		return
	}
	n := max(1, 2*here.len)
	to := slice{s.take(n, p), here.len, n}
	if here.len > 0 {
		reflect.Copy(reflect.NewAt(p.many, unsafe.Pointer(&to)).Elem(), reflect.NewAt(p.many, unsafe.Pointer(here)).
			Elem())
	}
	*here = to
}
