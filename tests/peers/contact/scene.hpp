// A scene as a peer's program reads it, and how its steps are timed.
//
//     program MODEL SCENE SECONDS [SETTING...]
//
// simulates a scene in the settings that are named, or in all. SCENE is a text of numbers, in the peer's
// coordinates:
//
//     STEP KICK SETTLING NQ SERVOS MOTORS
//     q, NQ numbers
//     OUTPUT Q V STIFFNESS DAMPING REST RIPPLE SHIFT EFFORT, SERVOS times
//
// A servo is the force STIFFNESS (REST − q[Q]) − DAMPING v[V] + RIPPLE wave[k + SHIFT] at OUTPUT in step k,
// where wave is a sine with a period of some 63 steps. If MOTORS is 1 it is a motor of the program, in the
// order of MODEL's, with at most EFFORT. The scene comes to rest in SETTLING steps, without the ripple. For
// each setting
//
//     fact SETTING HEIGHT FORCE CONTACTS TORQUE
//
// is printed, fields separated by tabs: how it rests, HEIGHT being the third coordinate, FORCE the sum of
// normal forces, TORQUE the square root of the sum of squares of the servos' forces; and, if SECONDS
// are not 0, for each drive (`rest`, or `kicked`: every 50 steps the base is given the horizontal speed KICK
// in another direction, and no angular velocity) and start of the solver (`warm`, `cold`),
//
//     time SETTING DRIVE START MEDIAN MINIMUM CONTACTS ITERATIONS
//
// nanoseconds of a step, and means over what is seen every 50 steps. Steps are timed in tens, of which each
// cycle of 50 has five; for each of the five there are median and minimum over the cycles in so many
// seconds, and the means of these are printed. So neither the first steps after a kick are passed over, nor
// do interruptions count, which are rarer than every other ten.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

constexpr int AVERAGED = 50, TEN = 10, TENS = 5;
constexpr std::size_t WAVE = 628;

struct Servo {
    int output, q, v;
    double stiffness, damping, rest, ripple;
    std::size_t shift;
    double effort;
};

struct Scene {
    double step, kick;
    int settling, motors;
    std::vector<double> q, wave;
    std::vector<Servo> servos;

    explicit Scene(const char *path) : wave(WAVE) {
        std::ifstream file(path);
        std::size_t nq, count;
        file >> step >> kick >> settling >> nq >> count >> motors;
        q.resize(nq);
        for (double &x : q) file >> x;
        servos.resize(count);
        for (Servo &s : servos) {
            file >> s.output >> s.q >> s.v >> s.stiffness >> s.damping >> s.rest >> s.ripple >> s.shift >> s.effort;
        }
        if (!file) {
            std::fprintf(stderr, "%s: not a scene\n", path);
            std::exit(2);
        }
        for (std::size_t k = 0; k < WAVE; ++k) wave[k] = std::sin(0.1 * k);
    }

    // The forces of step k; none of them ripples before the first.
    void drive(long k, const double *q, const double *v, double *force) const {
        for (const Servo &s : servos) {
            const double ripple = k < 0 ? 0.0 : s.ripple * wave[(k + s.shift) % WAVE];
            force[s.output] = s.stiffness * (s.rest - q[s.q]) - s.damping * v[s.v] + ripple;
        }
    }

    // Where motors shall go in step k.
    void aim(long k, double *target) const {
        for (std::size_t i = 0; i < servos.size(); ++i) {
            const Servo &s = servos[i];
            target[i] = s.rest + (k < 0 ? 0.0 : s.ripple / s.stiffness * wave[(k + s.shift) % WAVE]);
        }
    }
};

// Calls `kick(angle)`, then `step(k)` fifty times, then `look()`, and so on.
template <class Kick, class Step, class Look>
void measure(const std::string &name, double seconds, Kick kick, Step step, Look look) {
    using Clock = std::chrono::steady_clock;
    std::array<std::vector<double>, TENS> samples;
    long k = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    do {
        kick(2.4 * samples[0].size());
        for (auto &of : samples) {
            const auto start = Clock::now();
            for (int i = 0; i < TEN; ++i) step(k++);
            const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
            of.push_back(elapsed.count() / TEN);
        }
        look();
    } while (Clock::now() < end);
    double median = 0.0, least = 0.0;
    for (auto &of : samples) {
        std::sort(of.begin(), of.end());
        median += of[of.size() / 2] / TENS;
        least += of[0] / TENS;
    }
    std::printf("time\t%s\t%.1f\t%.1f", name.c_str(), median, least);
}
