// MuJoCo's `mj_step` on a scene: Newton's method, semi-implicit Euler, both cones, dense and sparse Jacobian,
// with and without islands; where there are motors, also the integrator that is implicit in their damping.
// Whatever the scene has nothing of is switched off.

#include <mujoco/mujoco.h>

#include <numeric>
#include <set>

#include "scene.hpp"

static int needless(const mjModel *m) {
    int flags = mjDSBL_EQUALITY | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_CLAMPCTRL | mjDSBL_SENSOR
        | mjDSBL_MIDPHASE | mjDSBL_EULERDAMP | mjDSBL_AUTORESET | mjDSBL_MULTICCD;
    const auto any = [](const auto *of, int count) { return std::any_of(of, of + count, [](auto x) { return x > 0; }); };
    if (!any(m->dof_frictionloss, m->nv)) flags |= mjDSBL_FRICTIONLOSS;
    if (!any(m->jnt_limited, m->njnt)) flags |= mjDSBL_LIMIT;
    if (m->nu == 0) flags |= mjDSBL_ACTUATION;
    return flags;
}

struct Simulation {
    mjModel *m;
    mjData *d;
    const Scene &scene;

    void step(long k) {
        if (scene.motors) {
            scene.aim(k, d->ctrl);
        } else {
            scene.drive(k, d->qpos, d->qvel, d->qfrc_applied);
        }
        mj_step(m, d);
    }

    void kick(double angle) {
        d->qvel[0] = scene.kick * std::cos(angle);
        d->qvel[1] = scene.kick * std::sin(angle);
        for (int i = 3; i < 6; ++i) d->qvel[i] = 0.0;
    }

    double normal_force() const {
        double sum = 0.0;
        for (int i = 0; i < d->ncon; ++i) {
            mjtNum force[6];
            mj_contactForce(m, d, i, force);
            sum += force[0];
        }
        return sum;
    }

    double torque() const {
        double sum = 0.0;
        for (const Servo &s : scene.servos) {
            const double force = scene.motors ? d->qfrc_actuator[s.v] : d->qfrc_applied[s.output];
            sum += force * force;
        }
        return std::sqrt(sum);
    }

    int iterations() const {
        return std::accumulate(d->solver_niter, d->solver_niter + std::max(1, int(d->nisland)), 0);
    }
};

static void settle(Simulation &s, const std::string &name) {
    mj_resetData(s.m, s.d);
    std::copy(s.scene.q.begin(), s.scene.q.end(), s.d->qpos);
    double force = 0.0;
    for (int i = 0; i < s.scene.settling; ++i) {
        s.step(-1);
        if (i >= s.scene.settling - AVERAGED) force += s.normal_force() / AVERAGED;
    }
    std::printf("fact\t%s\t%.6f\t%.6f\t%d\t%.6f\n", name.c_str(), s.d->qpos[2], force, int(s.d->ncon), s.torque());
}

static void time(Simulation &s, mjData *settled, const std::string &name, double seconds) {
    for (const bool kicked : {false, true}) {
        for (const bool warm : {true, false}) {
            const int flags = s.m->opt.disableflags;
            if (!warm) s.m->opt.disableflags |= mjDSBL_WARMSTART;
            mj_copyData(s.d, s.m, settled);
            double samples = 0.0, contacts = 0.0, iterations = 0.0;
            const auto kick = [&](double angle) { if (kicked) s.kick(angle); };
            const auto look = [&] {
                samples += 1.0;
                contacts += s.d->ncon;
                iterations += s.iterations();
            };
            const std::string variant
                = name + (kicked ? "\tkicked" : "\trest") + (warm ? "\twarm" : "\tcold");
            measure(variant, seconds, kick, [&](long k) { s.step(k); }, look);
            std::printf("\t%.2f\t%.2f\n", contacts / samples, iterations / samples);
            s.m->opt.disableflags = flags;
        }
    }
}

int main(int count, char **words) {
    if (count < 4) {
        std::fputs("expected MODEL SCENE SECONDS [SETTING...]\n", stderr);
        return 2;
    }
    mjModel *m = mj_loadModel(words[1], nullptr);
    if (!m) return 2;
    const Scene scene(words[2]);
    const double seconds = std::atof(words[3]);
    const std::set<std::string> wanted(words + 4, words + count);
    Simulation simulation{m, mj_makeData(m), scene};
    mjData *settled = mj_makeData(m);
    m->opt.timestep = scene.step;
    m->opt.solver = mjSOL_NEWTON;
    const int flags = needless(m);
    for (int setting = 0; setting < (scene.motors ? 16 : 8); ++setting) {
        const bool sparse = setting & 1, elliptic = setting & 2, islands = setting & 4, implicit = setting & 8;
        m->opt.disableflags = flags | (islands ? 0 : mjDSBL_ISLAND);
        m->opt.cone = elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
        m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
        m->opt.integrator = implicit ? mjINT_IMPLICITFAST : mjINT_EULER;
        const std::string name = std::string(elliptic ? "elliptic" : "pyramidal")
            + (sparse ? " sparse" : " dense") + (islands ? " islands" : "") + (implicit ? " implicit" : "");
        if (!wanted.empty() && !wanted.count(name)) continue;
        settle(simulation, name);
        if (seconds <= 0.0) continue;
        mj_copyData(settled, m, simulation.d);
        time(simulation, settled, name, seconds);
    }
}
