// Pinocchio's functions, header-only, so that they are compiled for this machine. The model is a text
// archive. Where there are two conventions both are timed.

#include <pinocchio/multibody.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/serialization.hpp>

#include "timing.hpp"

using namespace pinocchio;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Numbers = std::vector<double>;

struct State {
    VectorXd q, v, v_dot, tau;

    State(const double *q, const double *v, const double *v_dot, const double *tau, int nq, int nv)
        : q(VectorXd::Map(q, nq)), v(VectorXd::Map(v, nv)), v_dot(VectorXd::Map(v_dot, nv)),
          tau(VectorXd::Map(tau, nv)) {}
};

static Numbers numbers(const MatrixXd &matrix) {
    return Numbers(matrix.data(), matrix.data() + matrix.size());
}

// Of a symmetric matrix, Pinocchio computes the upper triangle.
static MatrixXd symmetric(const MatrixXd &upper) {
    return upper.selfadjointView<Eigen::Upper>();
}

static MatrixXd beside(std::initializer_list<MatrixXd> blocks) {
    MatrixXd row(blocks.begin()->rows(), 0);
    for (const MatrixXd &block : blocks) {
        row.conservativeResize(Eigen::NoChange, row.cols() + block.cols());
        row.rightCols(block.cols()) = block;
    }
    return row;
}

static Numbers joined(Numbers first, const Numbers &second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// Rotation, column by column, and position of each joint in the world.
static Numbers poses(const Data &data) {
    Numbers out;
    for (std::size_t k = 1; k < data.oMi.size(); ++k) {
        out = joined(out, numbers(data.oMi[k].rotation()));
        out = joined(out, numbers(data.oMi[k].translation()));
    }
    return out;
}

using Contacts = PINOCCHIO_ALIGNED_STD_VECTOR(RigidConstraintModel);
using ContactData = PINOCCHIO_ALIGNED_STD_VECTOR(RigidConstraintData);

// What is held still: the first line of a file beside the model says whether points or frames, with
// their axes, the others name them.
struct Feet {
    bool axes = false;
    std::vector<Frame> frames;

    Feet(const Model &model, const std::string &path) {
        std::ifstream file(path);
        std::string word;
        file >> word;
        axes = word == "axes";
        while (file >> word) frames.push_back(model.frames[model.getFrameId(word)]);
    }
};

// Asks for spatial accelerations with which the feet's origins have none at the given state.
static void hold_points(
    const Model &model, const State &state, const Contacts &contacts, ContactData &datas) {
    Data data(model);
    forwardKinematics(model, data, state.q, state.v);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto &contact = contacts[k];
        if (contact.type != CONTACT_6D) continue;
        const auto id = contact.joint1_id;
        const Motion velocity =
            getVelocity(model, data, id, LOCAL).se3Action(contact.joint1_placement.inverse());
        const SE3 turn(contact.reference_frame == LOCAL ?
            SE3::Matrix3::Identity().eval() :
            (data.oMi[id].rotation() * contact.joint1_placement.rotation()).eval(),
            SE3::Vector3::Zero());
        const Motion seen = turn.act(velocity);
        datas[k].contact_acceleration_desired =
            Motion(-seen.angular().cross(seen.linear()), SE3::Vector3::Zero());
    }
}

// Motion with feet that are held still, in one step of the proximal method without its parameter,
// which is exact where the feet do not depend on one another.
static void time_held(
    const Session<State> &session, const Model &model, const Feet &feet, ReferenceFrame axes) {
    Contacts held;
    for (const Frame &foot : feet.frames) {
        held.emplace_back(
            feet.axes ? CONTACT_6D : CONTACT_3D, model, foot.parentJoint, foot.placement, axes);
    }
    ContactData datas;
    for (const RigidConstraintModel &contact : held) datas.emplace_back(contact);
    hold_points(model, session.first(), held, datas);
    ProximalSettings settings(1e-12, 0.0, 1);
    const std::string suffix = axes == LOCAL ? " (local)" : " (local world aligned)";
    Data data(model);
    initConstraintDynamics(model, data, held, datas);
    session.time("constrained_dynamics", ("constraintDynamics" + suffix).c_str(),
        [&](const State &s) {
            constraintDynamics(model, data, s.q, s.v, s.tau, held, datas, settings);
        },
        [&] { return numbers(data.ddq); });
    session.time("constrained_impact", ("impulseDynamics" + suffix).c_str(),
        [&](const State &s) {
            impulseDynamics(model, data, s.q, s.v, held, datas, 0.0, settings);
        },
        [&] { return numbers(data.dq_after); });
}

// The same by articulated bodies, which need the parameter, and some steps for nine digits.
static void time_articulated(const Session<State> &session, const Model &model, const Feet &feet) {
    PINOCCHIO_ALIGNED_STD_VECTOR(PointAnchorConstraintModel) held;
    PINOCCHIO_ALIGNED_STD_VECTOR(PointAnchorConstraintData) datas;
    for (const Frame &foot : feet.frames) {
        held.emplace_back(model, foot.parentJoint, foot.placement);
    }
    for (const PointAnchorConstraintModel &contact : held) datas.push_back(contact.createData());
    ProximalSettings settings(1e-12, 1e-5, 10);
    Data data(model);
    initPvSolver(model, data, held);
    session.time("constrained_dynamics", "constrainedABA",
        [&](const State &s) {
            constrainedABA(model, data, s.q, s.v, s.tau, held, datas, settings);
        },
        [&] { return numbers(data.ddq); });
}

int main(int count, char **words) {
    const Arguments arguments(count, words);
    Model model;
    model.loadFromText(arguments.model);
    Data data(model);
    const Session<State> session(arguments, model.nq, model.nv);
    const auto m = [&] { return numbers(symmetric(data.M)); };
    const auto v_dot = [&] { return numbers(data.ddq); };

    session.time("inverse_dynamics", "rnea",
        [&](const State &s) { rnea(model, data, s.q, s.v, s.v_dot); },
        [&] { return numbers(data.tau); });
    session.time("bias_force", "nonLinearEffects",
        [&](const State &s) { nonLinearEffects(model, data, s.q, s.v); },
        [&] { return numbers(data.nle); });
    session.time("mass_matrix", "crba (local)",
        [&](const State &s) { crba(model, data, s.q, Convention::LOCAL); }, m);
    session.time("mass_matrix", "crba (world)",
        [&](const State &s) { crba(model, data, s.q, Convention::WORLD); }, m);
    session.time("gravity_force", "computeGeneralizedGravity",
        [&](const State &s) { computeGeneralizedGravity(model, data, s.q); },
        [&] { return numbers(-data.g); });
    session.time("coriolis_matrix", "computeCoriolisMatrix",
        [&](const State &s) { computeCoriolisMatrix(model, data, s.q, s.v); },
        [&] { return numbers(data.C); });
    session.time("forward_dynamics", "aba (local)",
        [&](const State &s) { aba(model, data, s.q, s.v, s.tau, Convention::LOCAL); }, v_dot);
    session.time("forward_dynamics", "aba (world)",
        [&](const State &s) { aba(model, data, s.q, s.v, s.tau, Convention::WORLD); }, v_dot);
    session.time("link_poses", "forwardKinematics",
        [&](const State &s) { forwardKinematics(model, data, s.q); },
        [&] { return poses(data); });
    session.time("joint_jacobians", "computeJointJacobians",
        [&](const State &s) { computeJointJacobians(model, data, s.q); },
        [&] { return joined(numbers(data.J), poses(data)); });
    session.time("inverse_dynamics_derivatives", "computeRNEADerivatives",
        [&](const State &s) { computeRNEADerivatives(model, data, s.q, s.v, s.v_dot); },
        [&] { return numbers(beside({data.dtau_dq, data.dtau_dv})); });
    session.time("forward_dynamics_derivatives", "computeABADerivatives",
        [&](const State &s) { computeABADerivatives(model, data, s.q, s.v, s.tau); },
        [&] { return numbers(beside({data.ddq_dq, data.ddq_dv, symmetric(data.Minv)})); });
    session.time("inverse_mass_matrix", "computeMinverse",
        [&](const State &s) { computeMinverse(model, data, s.q); },
        [&] { return numbers(symmetric(data.Minv)); });
    session.time("torque_regressor", "computeJointTorqueRegressor",
        [&](const State &s) { computeJointTorqueRegressor(model, data, s.q, s.v, s.v_dot); },
        [&] { return numbers(data.jointTorqueRegressor); });
    const Feet feet(model, arguments.model + ".feet");
    if (feet.frames.empty()) return 0;
    time_held(session, model, feet, LOCAL);
    time_held(session, model, feet, LOCAL_WORLD_ALIGNED);
    if (!feet.axes) time_articulated(session, model, feet);
}
