// Package trendprof fails a test if the work of a function grows faster with its input than it should.
//
//	func TestSort(t *testing.T) {
//		trendprof.Grows(t, "<= n log n", func(n int) {
//			sort(numbers(n))
//		})
//	}
//
// The test builds its package again, with counters in the packages of its module. The program trend-prof then runs this
// one function at sizes that it chooses, and judges how the number of executed blocks grows with n. The counts do not
// depend on how busy the machine is. trend-prof must be on the PATH or in the variable TREND_PROF.
//
// Work in the standard library, in other modules and in files of tests is not counted.
package trendprof

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// body is the variable that tells the test's binary to execute the function once.
const body = "TREND_PROF_TEST_BODY"

// Exit codes of trend-prof try --expect.
const (
	broken    = 1
	undecided = 3
)

// An Option changes how a function is judged.
type Option func(*options)

type options struct {
	sizes, budget  string
	allowUndecided bool
}

// Sizes gives the sizes to run, such as "100..100000x10". By default they range from 4 to a million, as far as time
// permits.
func Sizes(sizes string) Option { return func(o *options) { o.sizes = sizes } }

// Budget gives the time for all runs, such as "30s"; 20 seconds by default.
func Budget(budget string) Option { return func(o *options) { o.budget = budget } }

// AllowUndecided passes a test whose sizes do not decide.
func AllowUndecided() Option { return func(o *options) { o.allowUndecided = true } }

// Grows fails the test if the work of f grows faster than the limit, such as "<= n log n".
func Grows(t *testing.T, limit string, f func(n int), opts ...Option) {
	t.Helper()
	if os.Getenv(body) == t.Name() {
		count(f)
	}
	if os.Getenv(body) != "" {
		t.Skip("another test is counted")
	}
	o := options{budget: "20s"}
	for _, opt := range opts {
		opt(&o)
	}
	said, code, err := judge(t.Name(), limit, o)
	switch {
	case err != nil:
		t.Fatal(err)
	case code == 0:
		t.Log(said)
	case code == broken:
		t.Fatalf("it does not grow as %q:\n%s", limit, said)
	case code == undecided:
		t.Fatalf("it is undecided whether it grows as %q; give larger Sizes or more Budget:\n%s", limit, said)
	default:
		t.Fatalf("trend-prof cannot say how it grows:\n%s", said)
	}
}

// count executes the function at the size in the last argument, and ends the process, which writes its counters then.
func count(f func(n int)) {
	n, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	f(n)
	os.Exit(0)
}

// judge builds the test's binary with counters and runs it at several sizes.
func judge(name, limit string, o options) (string, int, error) {
	folder := filepath.Join(os.TempDir(), "trend-prof-go", strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", 0, err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", 0, err
	}
	file := regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(strings.Trim(here, "/")+"."+name, "-")
	binary, study := filepath.Join(folder, file+".test"), filepath.Join(folder, file+".trend")
	if said, code, err := run(nil, "build", "--", "go", "test", "-c", "-o", binary, "."); err != nil || code != 0 {
		return said, max(code, undecided+1), err
	}
	_ = os.Remove(study)
	words := []string{"try", "--no-build", "--jobs", "1", "--expect", limit, "--study", study, "--budget", o.budget}
	if o.sizes != "" {
		words = append(words, "--param", "n="+o.sizes)
	}
	if o.allowUndecided {
		words = append(words, "--allow-undecided")
	}
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$"
	words = append(words, "--", binary, "-test.run", pattern, "-test.count", "1", "{n}")
	said, code, err := run([]string{body + "=" + name}, words...)
	return said + "\n`trend-prof show " + study + "` says what grows", code, err
}

// run starts trend-prof and returns its output and exit code.
func run(variables []string, words ...string) (string, int, error) {
	program := os.Getenv("TREND_PROF")
	if program == "" {
		program = "trend-prof"
	}
	command := exec.Command(program, words...)
	command.Env = append(os.Environ(), variables...)
	said, err := command.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return strings.TrimSpace(string(said)), exit.ExitCode(), nil
	}
	return strings.TrimSpace(string(said)), 0, err
}
