package dedup

import (
	"fmt"
	"testing"
)

func items(n int) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = (i * 7919) % n
	}
	return items
}

func BenchmarkUnique(b *testing.B) {
	for _, n := range []int{50, 100, 200, 400, 800, 1600, 3200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			input := items(n)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				Unique(input)
			}
			b.ReportMetric(float64(n*(n-1)/2), "compares/op")
		})
	}
}

func BenchmarkNone(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Unique(nil)
	}
}
