// Siconos' Lemke with a lexicographic rule, called without its drivers.
//
//     siconos PROBLEMS N SECONDS
//
// PROBLEMS are M, column by column, and q of each, as doubles. Prints the nanoseconds of a solution, median
// and minimum over passes through all of them in so many seconds; the same of a problem whose solution is
// zero, which shows what the call itself costs; how many were not solved, whether it says so or not; and the
// largest |min(z, M z + q)| of those that were, by the largest entry of q.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" {
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
}

using Numbers = std::vector<double>;

// The largest residual of a solution: the tolerance that it has by default.
constexpr double SOLVED = 1e-6;

struct Problem {
    Numbers m, q, z, w;
    LinearComplementarityProblem *problem;
    int info = 0;

    Problem(const double *numbers, int n)
        : m(numbers, numbers + n * n), q(numbers + n * n, numbers + n * n + n), z(n), w(n),
          problem(newLCP()) {
        problem->size = n;
        problem->M = NM_create_from_data(NM_DENSE, n, n, m.data());
        problem->q = q.data();
    }

    void solve(SolverOptions *options) {
        std::fill(z.begin(), z.end(), 0.0);
        std::fill(w.begin(), w.end(), 0.0);
        lcp_lexicolemke(problem, z.data(), w.data(), &info, options);
    }

    double residual() const {
        double largest = 0.0, scale = 0.0;
        const std::size_t n = q.size();
        for (std::size_t i = 0; i < n; ++i) {
            double w = q[i];
            for (std::size_t j = 0; j < n; ++j) w += m[j * n + i] * z[j];
            largest = std::max(largest, std::abs(std::min(w, z[i])));
            scale = std::max(scale, std::abs(q[i]));
        }
        return largest / scale;
    }
};

static void time(std::vector<Problem> &problems, SolverOptions *options, double seconds) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> samples;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    do {
        const auto start = Clock::now();
        for (Problem &problem : problems) problem.solve(options);
        const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
        samples.push_back(elapsed.count() / problems.size());
    } while (Clock::now() < end);
    std::sort(samples.begin(), samples.end());
    std::printf("%.1f\t%.1f\t", samples[samples.size() / 2], samples[0]);
}

int main(int count, char **words) {
    if (count != 4) {
        std::fputs("expected PROBLEMS N SECONDS\n", stderr);
        return 2;
    }
    std::ifstream file(words[1], std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto *numbers = reinterpret_cast<const double *>(bytes.data());
    const std::size_t n = std::atoi(words[2]), length = n * n + n;
    std::vector<Problem> problems, empty;
    for (std::size_t k = 0; (k + 1) * length * sizeof(double) <= bytes.size(); ++k) {
        problems.emplace_back(numbers + k * length, n);
    }
    const double one[] = {1.0, 1.0};
    empty.emplace_back(one, 1);
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    time(problems, options, std::atof(words[3]));
    time(empty, options, 0.01);
    int unsolved = 0;
    double worst = 0.0;
    for (Problem &problem : problems) {
        problem.solve(options);
        const double residual = problem.info ? HUGE_VAL : problem.residual();
        if (residual > SOLVED) {
            ++unsolved;
        } else {
            worst = std::max(worst, residual);
        }
    }
    std::printf("%d\t%.1e\n", unsolved, worst);
}
