module github.com/trend-prof/trend-prof/go

go 1.21
