package trendprof

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/trend-prof/trend-prof/go/internal/sorting"
)

func skipWithoutProgram(t *testing.T) {
	program := os.Getenv("TREND_PROF")
	if program == "" {
		program = "trend-prof"
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}

func TestASortStaysWithinItsLimit(t *testing.T) {
	skipWithoutProgram(t)
	Grows(t, "<= n^2", sorting.Bubble, Sizes("16..1024x7"))
}

func TestABrokenLimitNamesItsLine(t *testing.T) {
	skipWithoutProgram(t)
	if os.Getenv(body) == t.Name() {
		count(sorting.Bubble)
	}
	said, code, err := judge(t.Name(), "<= n log n", options{sizes: "16..1024x7", budget: "20s"})
	if err != nil || code != broken || !strings.Contains(said, "sorting.go:1") {
		t.Fatal(code, err, said)
	}
}
