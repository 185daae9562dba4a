package domain

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// chiSquare returns the chi-square of counts that should all be equal.
func chiSquare(counts []int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	expected := float64(total) / float64(len(counts))
	x := 0.0
	for _, c := range counts {
		x += (float64(c) - expected) * (float64(c) - expected) / expected
	}
	return x
}

// limitOf returns a bound that chi-square with that many degrees of freedom exceeds about once in 30,000 fair tries
// (Wilson and Hilferty's approximation at four standard deviations).
func limitOf(degrees int) float64 {
	d := float64(degrees)
	return d * math.Pow(1-2/(9*d)+4*math.Sqrt(2/(9*d)), 3)
}

func TestEveryOutcomeOfADrawIsAsLikely(t *testing.T) {
	for _, n := range []int{2, 3, 6, 7, 36, 71, 255} {
		for name, src := range map[string]*Source{"a table's": NewSource(Key{byte(n)}),
			"throw-away": NewThrowaway(uint64(n))} {
			t.Run(name+" "+strconv.Itoa(n), func(t *testing.T) {
				counts := make([]int, n)
				for range 600 {
					l := src.Begin()
					for range 100 {
						counts[l.Draw("die", n)]++
					}
					src.Count(l.Used())
				}
				require.Less(t, chiSquare(counts), limitOf(n-1))
			})
		}
	}
}

func TestDrawsOfOtherSeedsAndPurposesAreUnrelated(t *testing.T) {
	pairs := make([]int, 36)
	for seed := range uint64(20_000) {
		a := NewThrowaway(seed).Begin().Draw("die", 6)
		b := NewThrowaway(seed+1).Begin().Draw("die", 6)
		pairs[a*6+b]++
	}
	require.Less(t, chiSquare(pairs), limitOf(35))

	clear(pairs)
	src := NewThrowaway(1)
	for range 20_000 {
		l := src.Begin()
		pairs[l.Draw("dia", 6)*6+l.Draw("dib", 6)]++
		src.Count(l.Used())
	}
	require.Less(t, chiSquare(pairs), limitOf(35))
}

func TestAnOutcomeAboveTheLastMultipleIsDrawnAgain(t *testing.T) {
	// Of 2⁶⁴ values, 3·2⁶² are used for n = 3·2⁶¹: every fourth try is thrown away. Without
	// that the lower third would come up three times in eight.
	const n = 3 << 61
	counts := make([]int, 3)
	src := NewSource(Key{1})
	for k := range uint64(30_000) {
		counts[src.outcome("big", k, n)/(1<<61)]++
	}
	require.Less(t, chiSquare(counts), limitOf(2))
}

func TestThrowAwayDrawsAreOfSplitmix64(t *testing.T) {
	// The values that its authors give for seed 1234567: simulations and samples repeat on every machine and in every
	// version.
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
		16408922859458223821} {
		require.Equal(t, want, mix(1234567+golden*uint64(i+1)))
	}
}

func TestAShuffleGivesEveryOrderAsOften(t *testing.T) {
	counts := map[[4]int]int{}
	for seed := range uint32(24 * 500) {
		p := NewSource(Key(binary.BigEndian.AppendUint32(make([]byte, 28), seed))).Begin().Shuffle("stack", 4)
		counts[[4]int(p)]++
	}
	list := make([]int, 0, 24)
	for _, c := range counts {
		list = append(list, c)
	}
	require.Len(t, list, 24)
	require.Less(t, chiSquare(list), limitOf(23))
}

func TestADrawIsWhatAnyoneRecomputes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var key Key
		copy(key[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		purpose := rapid.String().Draw(t, "purpose")
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		k := rapid.IntRange(0, 5).Draw(t, "k")

		l := NewSource(key).Begin()
		var got int
		for range k + 1 {
			got = l.Draw(purpose, n)
		}

		mac := hmac.New(sha256.New, key[:])
		for _, part := range [][]byte{u64(uint64(len(purpose))), []byte(purpose), u64(uint64(k)), u64(0)} {
			mac.Write(part)
		}
		// The first try is thrown away less than once in 10¹⁶ times for n up to 1,000.
		want := int(binary.BigEndian.Uint64(mac.Sum(nil)) % uint64(n))
		require.Equal(t, want, got)
	})
}

func u64(x uint64) []byte { return binary.BigEndian.AppendUint64(nil, x) }

func TestPurposesAreCountedApart(t *testing.T) {
	src := NewThrowaway(7)
	l := src.Begin()
	l.Draw("tile", 71)
	l.Draw("die", 6)
	l.Draw("tile", 70)
	require.Equal(t, []Draw{{"tile", 0, 71, false}, {"die", 0, 6, false}, {"tile", 1, 70, false}}, l.Used())

	src.Count(l.Used())
	l = src.Begin()
	l.DrawUnseen("tile", 69)
	require.Equal(t, []Draw{{"tile", 2, 69, true}}, l.Used())
}

func TestADecisionThatCameToNothingUsesNoChance(t *testing.T) {
	src := NewThrowaway(7)
	first := src.Begin().Draw("die", 1_000_000)
	again := src.Begin().Draw("die", 1_000_000)
	require.Equal(t, first, again)
}

func TestDrawsTakenOverComeAgainWhateverTheirSize(t *testing.T) {
	// Given a closed line on which two dice were seen,
	old, fresh := Key{1}, Key{2}
	before := NewSource(old).Begin()
	a, b := before.Draw("die", 6), before.Draw("die", 6)
	// when a line with its own key takes over the second,
	src := NewSource(fresh)
	src.TakeOver("die", 1, old)
	l := src.Begin()
	x, y, z := l.Draw("die", 1<<30), l.Draw("die", 6), l.Draw("die", 1<<30)
	// then only that one comes again, and no draw for another purpose does.
	own := NewSource(fresh).Begin()
	require.Equal(t, []int{own.Draw("die", 1<<30), b}, []int{x, y})
	own.Draw("die", 6)
	require.Equal(t, own.Draw("die", 1<<30), z)
	require.Equal(t, NewSource(fresh).Begin().Draw("card", 1<<30), NewSource(fresh).Begin().Draw("card", 1<<30))
	_ = a
}

func TestATakenOverDrawOfAnotherSizeHasItsOwnKey(t *testing.T) {
	old := Key{1}
	src := NewSource(Key{2})
	src.TakeOver("tile", 0, old)
	require.Equal(t, NewSource(old).Begin().Draw("tile", 1<<40), src.Begin().Draw("tile", 1<<40))
}

func number(words string) (int, error) {
	n, err := strconv.Atoi(words)
	return n - 1, err
}

func TestDictatedOutcomesComeInOrderAndThenLuckDraws(t *testing.T) {
	src := NewThrowaway(1)
	src.Dictate("die", Outcome{"4", 10})
	src.Dictate("die", Outcome{"2", 11})
	src.Dictate("card", Outcome{"1", 12})

	l := src.Begin()
	require.Equal(t, 3, l.Pick("die", 6, number))
	require.Equal(t, 1, l.Pick("die", 6, number))
	require.Equal(t, 0, l.Pick("card", 9, number))
	require.Empty(t, l.Used(), "a dictated outcome is no draw")
	drawn := l.Pick("die", 1<<40, number)
	require.Equal(t, NewThrowaway(1).Begin().Draw("die", 1<<40), drawn)
	require.NoError(t, l.Err())

	// Until the decision is committed, the outcomes remain.
	require.Equal(t, 3, src.Begin().Pick("die", 6, number))
	src.Commit(l)
	require.Equal(t, NewThrowaway(1).Begin().Draw("die", 1<<40), src.Begin().Pick("die", 1<<40, number))
}

func TestAnImpossibleDictatedOutcomeIsNamedWithItsLine(t *testing.T) {
	for name, words := range map[string]string{"unreadable": "four", "too large": "7", "too small": "0"} {
		t.Run(name, func(t *testing.T) {
			src := NewThrowaway(1)
			src.Dictate("die", Outcome{words, 10})
			src.Dictate("die", Outcome{"99", 11})
			l := src.Begin()
			l.Pick("die", 6, number)
			l.Pick("die", 6, number)
			var impossible *Impossible
			require.True(t, errors.As(l.Err(), &impossible))
			require.Equal(t, 10, impossible.Line, "the first one stands")
			require.Equal(t, "die", impossible.Kind)
			require.Contains(t, l.Err().Error(), "line 10")
		})
	}
}

func TestACopyOfASourceGoesItsOwnWay(t *testing.T) {
	src := NewThrowaway(3)
	src.Dictate("die", Outcome{"5", 1})
	src.TakeOver("card", 4, Key{9})
	c := src.clone()

	l := c.Begin()
	require.Equal(t, 4, l.Pick("die", 6, number))
	l.Draw("coin", 2)
	c.Commit(l)
	c.Count(l.Used())
	c.TakeOver("card", 5, Key{9})
	c.Dictate("die", Outcome{"1", 2})

	require.Equal(t, 4, src.Begin().Pick("die", 6, number))
	require.Len(t, src.dictated["die"], 1)
	require.Len(t, src.taken, 1)
	require.Empty(t, src.counts)
	require.Equal(t, src.Begin().Draw("x", 1<<40), c.Begin().Draw("x", 1<<40), "the same key")
}

func TestLineKeyIsBoundToSeedLineAndEveryContribution(t *testing.T) {
	seed := Key{1}
	base := LineKey(seed, 0, [][]byte{[]byte("ab"), []byte("c")})
	for name, other := range map[string]Key{
		"another seed":                     LineKey(Key{2}, 0, [][]byte{[]byte("ab"), []byte("c")}),
		"another line":                     LineKey(seed, 1, [][]byte{[]byte("ab"), []byte("c")}),
		"the same bytes otherwise divided": LineKey(seed, 0, [][]byte{[]byte("a"), []byte("bc")}),
		"joined":                           LineKey(seed, 0, [][]byte{[]byte("abc")}),
		"another order":                    LineKey(seed, 0, [][]byte{[]byte("c"), []byte("ab")}),
		"an empty one more":                LineKey(seed, 0, [][]byte{[]byte("ab"), []byte("c"), nil}),
		"none":                             LineKey(seed, 0, nil),
	} {
		require.NotEqual(t, base, other, name)
	}
	require.Equal(t, base, LineKey(seed, 0, [][]byte{[]byte("ab"), []byte("c")}))
}

func TestLineKeyIsTheDocumentedFormula(t *testing.T) {
	seed := Key{5}
	inner := hmac.New(sha256.New, seed[:])
	inner.Write(u64(3))
	outer := hmac.New(sha256.New, inner.Sum(nil))
	outer.Write(u64(5))
	outer.Write([]byte("hello"))
	require.Equal(t, Key(outer.Sum(nil)), LineKey(seed, 3, [][]byte{[]byte("hello")}))
}

func TestADrawIsWrittenAsAnArray(t *testing.T) {
	for want, d := range map[string]Draw{
		`["tile",3,71]`:      {"tile", 3, 71, false},
		`["stack",0,36,1]`:   {"stack", 0, 36, true},
		`["a\"b\\c",12,255]`: {`a"b\c`, 12, 255, false},
	} {
		got, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		var back Draw
		require.NoError(t, json.Unmarshal(got, &back))
		require.Equal(t, d, back)
	}
	for _, bad := range []string{`{}`, `[]`, `["tile",1]`, `["tile",1,2,1,1]`, `[1,1,1]`, `["tile",-1,2]`, `"x"`} {
		require.Error(t, json.Unmarshal([]byte(bad), new(Draw)), bad)
	}
}

func TestADrawOfNoOutcomesIsAFaultOfTheRulebook(t *testing.T) {
	require.Panics(t, func() { NewThrowaway(1).Begin().Draw("die", 0) })
}

func BenchmarkDraw(b *testing.B) {
	for name, src := range map[string]*Source{"proved": NewSource(Key{1}), "throwaway": NewThrowaway(1)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				l := src.Begin()
				l.Draw("tile", 71)
				src.Count(l.Used())
			}
		})
	}
}

func BenchmarkNewThrowaway(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		NewThrowaway(uint64(i)).Begin().Draw("tile", 71)
	}
}

func TestAThrowawaySourceBegunAgainIsLikeANewOne(t *testing.T) {
	used := NewThrowaway(3)
	for seed := range uint64(5) {
		luck := used.Begin()
		luck.Draw("tile", 71)
		luck.Draw("tile", 71)
		used.Count(luck.Used())

		used.Again(seed)
		fresh := NewThrowaway(seed)
		for range 3 {
			a, b := used.Begin(), fresh.Begin()
			require.Equal(t, b.Draw("tile", 71), a.Draw("tile", 71))
			require.Equal(t, b.Draw("dice", 36), a.Draw("dice", 36))
			require.Equal(t, b.Used(), a.Used())
			used.Count(a.Used())
			fresh.Count(b.Used())
		}
	}
}
