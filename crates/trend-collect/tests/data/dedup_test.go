package dedup

import (
	"os"
	"strconv"
	"testing"
)

func TestUnique(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
	items := make([]int, n)
	for i := range items {
		items[i] = (i * 7919) % n
	}
	if len(Unique(items)) != n {
		t.Fatal("lost items")
	}
}
