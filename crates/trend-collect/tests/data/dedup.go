package dedup

// Unique keeps the first of equal items.
func Unique(items []int) []int {
	var seen []int
	for _, item := range items {
		if !contains(seen, item) {
			seen = append(seen, item)
		}
	}
	return seen
}

func contains(items []int, x int) bool {
	for _, item := range items {
		if item == x {
			return true
		}
	}
	return false
}
