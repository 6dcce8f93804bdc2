// Package sorting has code for the tests, whose own files Go does not count.
package sorting

// Bubble sorts n numbers in quadratic time.
func Bubble(n int) {
	list := make([]int, n)
	for i := range list {
		list[i] = i * 7919 % n
	}
	for i := range list {
		for j := 0; j+1 < len(list)-i; j++ {
			if list[j] > list[j+1] {
				list[j], list[j+1] = list[j+1], list[j]
			}
		}
	}
}
