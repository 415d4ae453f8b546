// MuJoCo's core functions, called for what a kernel needs and no more. The model is a binary one, with
// neither contacts nor limits. Copying the state into its place is part of each call: MuJoCo has no
// other way to be given one.

#include <mujoco/mujoco.h>

#include "timing.hpp"

using Numbers = std::vector<double>;

struct State {
    Numbers q, v, v_dot, tau;

    State(const double *q, const double *v, const double *v_dot, const double *tau, int nq, int nv)
        : q(q, q + nq), v(v, v + nv), v_dot(v_dot, v_dot + nv), tau(tau, tau + nv) {}
};

static void put(double *place, const Numbers &numbers) {
    std::copy(numbers.begin(), numbers.end(), place);
}

static void kinematics(const mjModel *m, mjData *d, const State &s) {
    put(d->qpos, s.q);
    mj_kinematics(m, d);
    mj_comPos(m, d);
}

static void velocities(const mjModel *m, mjData *d, const State &s) {
    put(d->qvel, s.v);
    mj_comVel(m, d);
}

static void factor(const mjModel *m, mjData *d, const State &s) {
    kinematics(m, d, s);
    mj_makeM(m, d);
    mj_factorM(m, d);
}

// Rotation, column by column, and position of each body in the world.
static Numbers poses(const mjModel *m, const mjData *d) {
    Numbers out;
    for (int body = 1; body < m->nbody; ++body) {
        for (int k = 0; k < 9; ++k) out.push_back(d->xmat[9 * body + 3 * (k % 3) + k / 3]);
        for (int k = 0; k < 3; ++k) out.push_back(d->xpos[3 * body + k]);
    }
    return out;
}

int main(int count, char **words) {
    const Arguments arguments(count, words);
    const mjModel *m = mj_loadModel(arguments.model.c_str(), nullptr);
    if (!m) return 2;
    mjData *d = mj_makeData(m);
    const int nv = m->nv;
    const Session<State> session(arguments, m->nq, nv);
    Numbers out(nv), matrix(nv * nv), identity(nv * nv);
    for (int k = 0; k < nv; ++k) identity[k * nv + k] = 1.0;
    const auto vector = [&] { return out; };

    session.time("inverse_dynamics", "mj_rne",
        [&](const State &s) {
            kinematics(m, d, s);
            velocities(m, d, s);
            put(d->qacc, s.v_dot);
            mj_rne(m, d, 1, out.data());
        }, vector);
    session.time("bias_force", "mj_rne",
        [&](const State &s) {
            kinematics(m, d, s);
            velocities(m, d, s);
            mj_rne(m, d, 0, out.data());
        }, vector);
    session.time("mass_matrix", "mj_makeM",
        [&](const State &s) {
            kinematics(m, d, s);
            mj_makeM(m, d);
        },
        [&] {
            mj_fullM(m, d, matrix.data());
            return matrix;
        });
    session.time("forward_dynamics", "mj_rne and mj_solveM",
        [&](const State &s) {
            factor(m, d, s);
            velocities(m, d, s);
            mj_rne(m, d, 0, out.data());
            for (int k = 0; k < nv; ++k) out[k] = s.tau[k] - out[k];
            mj_solveM(m, d, out.data(), out.data(), 1);
        }, vector);
    session.time("inverse_mass_matrix", "mj_solveM",
        [&](const State &s) {
            factor(m, d, s);
            mj_solveM(m, d, matrix.data(), identity.data(), nv);
        },
        [&] { return matrix; });
    session.time("link_poses", "mj_kinematics",
        [&](const State &s) {
            put(d->qpos, s.q);
            mj_kinematics(m, d);
        },
        [&] { return poses(m, d); });

    // Gravity alone: the velocities of all bodies stay zero, so that none have to be computed.
    mj_resetData(m, d);
    mj_forward(m, d);
    session.time("gravity_force", "mj_rne",
        [&](const State &s) {
            kinematics(m, d, s);
            mj_rne(m, d, 0, out.data());
        },
        [&] {
            Numbers force(out);
            for (double &x : force) x = -x;
            return force;
        });
}
