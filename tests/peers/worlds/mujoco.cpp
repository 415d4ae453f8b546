// MuJoCo's `mj_step` on a world: Newton's method, the elliptic cone, semi-implicit Euler, dense and sparse Jacobian,
// with and without islands, to a tolerance. Whatever the scenes have nothing of is switched off. `programs.py` says
// what is read and printed.

#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

constexpr int ITERATIONS = 1000;
// More coordinates than this have no dense Jacobian: it takes as long as their number cubed.
constexpr int DENSE = 150;
constexpr int NEEDLESS = mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT | mjDSBL_SPRING | mjDSBL_DAMPER
    | mjDSBL_CLAMPCTRL | mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_EULERDAMP | mjDSBL_AUTORESET;

struct Servo {
    int q, v;
    double stiffness, damping, effort;
    // Times and where the coordinate shall be.
    std::vector<std::pair<double, double>> way;

    double force(double time, double q, double v) const {
        const auto next = std::find_if(way.begin(), way.end(), [&](const auto &of) { return of.first > time; });
        double target, rate = 0.0;
        if (next == way.begin()) {
            target = next->second;
        } else if (next == way.end()) {
            target = way.back().second;
        } else {
            const auto &last = *(next - 1);
            rate = (next->second - last.second) / (next->first - last.first);
            target = last.second + rate * (time - last.first);
        }
        return std::clamp(stiffness * (target - q) + damping * (rate - v), -effort, effort);
    }
};

struct Scene {
    int steps;
    std::vector<int> looks;
    std::vector<double> q, v;
    std::vector<Servo> servos;

    explicit Scene(const char *path) {
        std::ifstream file(path);
        std::size_t nq = 0, nv = 0, count = 0, seen = 0;
        file >> steps >> nq >> nv >> count >> seen;
        looks.resize(seen);
        q.resize(nq);
        v.resize(nv);
        servos.resize(count);
        for (int &x : looks) file >> x;
        for (double &x : q) file >> x;
        for (double &x : v) file >> x;
        for (Servo &s : servos) {
            std::size_t length = 0;
            file >> s.q >> s.v >> s.stiffness >> s.damping >> s.effort >> length;
            s.way.resize(length);
            for (auto &[time, x] : s.way) file >> time >> x;
        }
        if (!file) {
            std::fprintf(stderr, "%s: not a scene\n", path);
            std::exit(2);
        }
    }
};

// How well the last step satisfies its equation of motion, N s or N m s: the largest entry of h (M (a - a_free) - f),
// divided by its largest term if that is above one.
static double residual(const mjModel *m, const mjData *d, std::vector<double> &change, std::vector<double> &product) {
    const double h = m->opt.timestep;
    double worst = 0.0, largest = 1.0;
    for (int i = 0; i < m->nv; ++i) change[i] = d->qacc[i] - d->qacc_smooth[i];
    mj_mulM(m, d, product.data(), change.data());
    for (int i = 0; i < m->nv; ++i) {
        worst = std::max(worst, h * std::abs(product[i] - d->qfrc_constraint[i]));
        largest = std::max({largest, h * std::abs(product[i]), h * std::abs(d->qfrc_constraint[i])});
    }
    return worst / largest;
}

static void print_state(const mjModel *m, const mjData *d, const std::string &name, int step) {
    std::printf("state\t%s\t%d\t", name.c_str(), step);
    for (int i = 0; i < m->nq; ++i) std::printf("%s%.17g", i ? " " : "", d->qpos[i]);
    std::printf("\n");
}

// Simulates the scene, or as much of it as so many seconds of the clock allow.
static void run(const mjModel *m, mjData *d, const Scene &scene, const std::string &name, double limit) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times, change(m->nv), product(m->nv);
    double sum = 0.0, worst = 0.0, penetration = 0.0, iterations = 0.0;
    std::string error = "-";
    mj_resetData(m, d);
    std::copy(scene.q.begin(), scene.q.end(), d->qpos);
    std::copy(scene.v.begin(), scene.v.end(), d->qvel);
    for (int k = 0; k < scene.steps && error == "-"; ++k) {
        if (std::count(scene.looks.begin(), scene.looks.end(), k)) print_state(m, d, name, k);
        const auto start = Clock::now();
        for (const Servo &s : scene.servos) d->qfrc_applied[s.v] = s.force(d->time, d->qpos[s.q], d->qvel[s.v]);
        mj_step(m, d);
        times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        sum += times.back();
        worst = std::max(worst, residual(m, d, change, product));
        for (int i = 0; i < d->ncon; ++i) penetration = std::max(penetration, -d->contact[i].dist);
        const int islands = std::max(1, std::min(int(d->nisland), int(mjNISLAND)));
        iterations += std::accumulate(d->solver_niter, d->solver_niter + islands, 0);
        for (int i = 0; i < mjNWARNING; ++i) {
            if (d->warning[i].number) {
                error = std::string("at ") + std::to_string(d->time) + " s: "
                    + mju_warningText(i, d->warning[i].lastinfo);
            }
        }
        if (sum > limit && error == "-" && k + 1 < scene.steps) {
            error = "at " + std::to_string(d->time) + " s: stopped after " + std::to_string(int(limit)) + " s";
        }
    }
    const int done = int(times.size());
    print_state(m, d, name, done);
    const auto mean = [](auto from, auto to) {
        return 1e3 * std::accumulate(from, to, 0.0) / std::max<long>(1, to - from);
    };
    const double whole = mean(times.begin(), times.end()), fifth = mean(times.end() - done / 5, times.end());
    std::printf("run\t%s\t%.6f\t%.6f\t%d\t%d\t%.3e\t%.3e\t%.2f\t%s\n", name.c_str(), whole, fifth, done, int(d->ncon),
        worst, penetration, iterations / std::max(1, done), error.c_str());
}

int main(int count, char **words) {
    if (count != 5) {
        std::fputs("expected MODEL SCENE LIMIT TOLERANCE\n", stderr);
        return 2;
    }
    mjModel *m = mj_loadModel(words[1], nullptr);
    if (!m) return 2;
    const Scene scene(words[2]);
    const double limit = std::atof(words[3]);
    mjData *d = mj_makeData(m);
    m->opt.solver = mjSOL_NEWTON;
    m->opt.cone = mjCONE_ELLIPTIC;
    m->opt.integrator = mjINT_EULER;
    m->opt.iterations = ITERATIONS;
    m->opt.tolerance = std::atof(words[4]);
    for (const bool sparse : {false, true}) {
        if (!sparse && m->nv > DENSE) continue;
        for (const bool islands : {false, true}) {
            m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
            m->opt.disableflags = NEEDLESS | (islands ? 0 : mjDSBL_ISLAND);
            run(m, d, scene, std::string(sparse ? "sparse" : "dense") + (islands ? " islands" : ""), limit);
        }
    }
}
