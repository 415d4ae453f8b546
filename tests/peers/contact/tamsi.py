"""Drake's discrete multibody plant with the TAMSI contact solver on a scene; runs in Drake's own
environment, with the lines of scene.hpp.

    tamsi.py SCENE.json SECONDS

Servos are the plant's springs, which are explicit like ours, and its joints' damping, which is
implicit; they do not ripple. TAMSI starts from the last velocity, so there is no cold start.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from math import cos, sin
from statistics import fmean

import numpy as np
from pydrake.geometry import HalfSpace, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    ContactModel,
    CoulombFriction,
    DiscreteContactApproximation,
)
from pydrake.multibody.tree import RevoluteSpring, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

TEN, TENS = 10, 5
AVERAGED = 50


class Simulation:
    """A scene in Drake."""

    def __init__(self, scene: dict) -> None:
        self.scene = scene
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=scene["step"])
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kTamsi)
        self.plant.set_contact_model(ContactModel.kPoint)
        if scene["urdf"]:
            Parser(self.plant).AddModels(scene["urdf"])
        else:
            inertia = UnitInertia.SolidCube(scene["edge"])
            cube = SpatialInertia(scene["mass"], np.zeros(3), inertia)
            self.plant.AddRigidBody("cube", cube)
        self._add_solids()
        self._add_servos()
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        root = self.simulator.get_mutable_context()
        self.context = self.plant.GetMyMutableContextFromRoot(root)
        self._place()
        self.simulator.Initialize()

    def _add_solids(self) -> None:
        friction = CoulombFriction(self.scene["friction"], self.scene["friction"])
        world = self.plant.world_body()
        add = self.plant.RegisterCollisionGeometry
        add(world, RigidTransform(), HalfSpace(), "floor", friction)
        for k, (link, place, radius) in enumerate(self.scene["balls"]):
            body = self.plant.GetBodyByName(link)
            add(body, RigidTransform(place), Sphere(radius), f"ball_{k}", friction)

    def _add_servos(self) -> None:
        for name, stiffness, damping, rest in self.scene["servos"]:
            joint = self.plant.GetJointByName(name)
            joint.set_default_damping(damping)
            self.plant.AddForceElement(RevoluteSpring(joint, rest, stiffness))

    def _place(self) -> None:
        for name, angle in self.scene["posture"].items():
            self.plant.GetJointByName(name).set_angle(self.context, angle)
        [base] = self.plant.GetFloatingBaseBodies()
        self.base = self.plant.get_body(base)
        pose = RigidTransform([0.0, 0.0, self.scene["height"]])
        self.plant.SetFreeBodyPose(self.context, self.base, pose)

    def steps(self, count: int) -> None:
        """Moves on."""
        end = self.simulator.get_context().get_time() + count * self.scene["step"]
        self.simulator.AdvanceTo(end)

    def kick(self, angle: float) -> None:
        """Gives the base another velocity: angular, then linear."""
        v = self.plant.GetVelocities(self.context).copy()
        first = self.base.floating_velocities_start_in_v()
        speed = self.scene["kick"]
        v[first : first + 5] = [0.0, 0.0, 0.0, speed * cos(angle), speed * sin(angle)]
        self.plant.SetVelocities(self.context, v)

    def contacts(self) -> list[float]:
        """The normal force of each."""
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        count = results.num_point_pair_contacts()
        return [abs(results.point_pair_contact_info(k).contact_force()[2]) for k in range(count)]


def settle(simulation: Simulation) -> None:
    """Lets the scene come to rest and prints how it rests."""
    simulation.steps(simulation.scene["settling"] - AVERAGED)
    force = 0.0
    for _ in range(AVERAGED):
        simulation.steps(1)
        force += sum(simulation.contacts()) / AVERAGED
    pose = simulation.plant.EvalBodyPoseInWorld(simulation.context, simulation.base)
    height = pose.translation()[2]
    print(f"fact\ttamsi\t{height:.6f}\t{force:.6f}\t{len(simulation.contacts())}")


def measure(simulation: Simulation, kicked: bool, seconds: float) -> None:
    """Prints the times of steps."""
    samples: list[list[float]] = [[] for _ in range(TENS)]
    contacts = 0
    end = time.perf_counter() + seconds
    while not samples[0] or time.perf_counter() < end:
        if kicked:
            simulation.kick(2.4 * len(samples[0]))
        for of in samples:
            start = time.perf_counter_ns()
            simulation.steps(TEN)
            of.append((time.perf_counter_ns() - start) / TEN)
        contacts += len(simulation.contacts())
    median = fmean(sorted(of)[len(of) // 2] for of in samples)
    least = fmean(min(of) for of in samples)
    drive = "kicked" if kicked else "rest"
    numbers = f"{median:.1f}\t{least:.1f}\t{contacts / len(samples[0]):.2f}"
    print(f"time\ttamsi\t{drive}\twarm\t{numbers}\tnan")


def main() -> None:
    """Reads a scene, simulates and prints."""
    path, seconds = sys.argv[1:3]
    logging.getLogger("drake").setLevel(logging.ERROR)
    with open(path, encoding="utf-8") as file:
        simulation = Simulation(json.load(file))
    settle(simulation)
    if float(seconds) > 0.0:
        for kicked in (False, True):
            measure(simulation, kicked, float(seconds))


if __name__ == "__main__":
    main()
