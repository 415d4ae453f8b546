// How a peer's functions are timed, and how they say what they compute.
//
//     program MODEL STATES SECONDS KERNEL...
//
// reads states (q, v, v̇, τ in the peer's coordinates, as doubles) and prints a line for each function
// that computes one of the kernels, fields separated by tabs. With SECONDS = 0 these are the kernel,
// the function, and its values at the first state, matrices column by column; otherwise the kernel,
// the function, and its time for one state in nanoseconds, the median of the samples of so many
// seconds. A sample is as many states in a row as take some 20 µs, short beside the turns that the
// operating system gives to programs, so that few samples are interrupted on a busy machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

struct Arguments {
    std::string model;
    std::string states;
    double seconds;
    std::vector<std::string> kernels;

    Arguments(int count, char **words) {
        if (count < 5) {
            std::fputs("expected MODEL STATES SECONDS KERNEL...\n", stderr);
            std::exit(2);
        }
        model = words[1];
        states = words[2];
        seconds = std::atof(words[3]);
        kernels.assign(words + 4, words + count);
    }
};

// `State` is made from pointers to q (nq) and to v, v̇, τ (nv each).
template <class State> class Session {
    Arguments arguments;
    std::vector<State> states;

  public:
    Session(const Arguments &arguments, int nq, int nv) : arguments(arguments) {
        std::ifstream file(arguments.states, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        const auto *numbers = reinterpret_cast<const double *>(bytes.data());
        const std::size_t length = nq + 3 * nv;
        for (std::size_t k = 0; k < bytes.size() / (length * sizeof(double)); ++k) {
            const double *q = numbers + k * length, *v = q + nq;
            states.emplace_back(q, v, v + nv, v + 2 * nv, nq, nv);
        }
        if (states.empty() || states.size() & (states.size() - 1)) {
            std::fprintf(stderr, "%s: no power of two of states\n", arguments.states.c_str());
            std::exit(2);
        }
    }

    // The state at which values are compared.
    const State &first() const { return states.front(); }

    // `run(state)` is the function, `values()` are what it left behind, as a container of doubles.
    template <class Run, class Values>
    void time(const char *kernel, const char *function, Run run, Values values) const {
        const auto &kernels = arguments.kernels;
        if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) return;
        std::printf("%s\t%s", kernel, function);
        if (arguments.seconds > 0.0) {
            std::printf("\t%.3f", median(run));
        } else {
            run(states.front());
            for (double x : values()) std::printf("\t%.17g", x);
        }
        std::puts("");
    }

  private:
    using Clock = std::chrono::steady_clock;

    template <class Run> double median(Run &run) const {
        const std::size_t count = length(run);
        std::vector<double> samples;
        const auto end = Clock::now() + std::chrono::duration<double>(arguments.seconds);
        for (std::size_t first = 0; Clock::now() < end; first = (first + count) % states.size()) {
            samples.push_back(sample(run, first, count));
        }
        const auto middle = samples.begin() + samples.size() / 2;
        std::nth_element(samples.begin(), middle, samples.end());
        return *middle;
    }

    // States in a sample, a power of two.
    template <class Run> std::size_t length(Run &run) const {
        double time = 1e30;
        for (int k = 0; k < 3; ++k) time = std::min(time, sample(run, 0, states.size()));
        std::size_t count = states.size();
        while (count > 1 && count * time > 2e4) count /= 2;
        return count;
    }

    // Nanoseconds for a state. The compiler has to believe that somebody reads what each call leaves in
    // memory.
    template <class Run> double sample(Run &run, std::size_t first, std::size_t count) const {
        const auto start = Clock::now();
        for (std::size_t k = first; k < first + count; ++k) {
            run(states[k]);
            asm volatile("" ::: "memory");
        }
        const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
        return elapsed.count() / count;
    }
};
