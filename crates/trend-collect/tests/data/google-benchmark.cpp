#include <benchmark/benchmark.h>
#include <algorithm>
#include <vector>

static void BM_insertion(benchmark::State& state) {
    for (auto _ : state) {
        std::vector<int> sorted;
        for (int i = state.range(0); i > 0; i--)
            sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), i), i);
        benchmark::DoNotOptimize(sorted.data());
    }
}
BENCHMARK(BM_insertion)->RangeMultiplier(4)->Range(64, 16384)->Repetitions(2);

static void BM_mix(benchmark::State& state) {
    for (auto _ : state)
        for (int i = 0; i < state.range(0) * state.range(1); i++)
            benchmark::DoNotOptimize(i);
}
BENCHMARK(BM_mix)->ArgNames({"rows", "cols"})->Args({8, 8})->Args({8, 64})->Args({64, 64})->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_MAIN();
