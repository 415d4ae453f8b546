"""A scene in MuJoCo's words."""

from __future__ import annotations

from xml.etree import ElementTree

import mujoco

from project import WORK
from robots import change, mujoco_spec
from scenes import STEP
from things import Kind, Part, Robot, Scene, Solid

FOLDER = WORK / "worlds"
"""Where scenes and results lie."""

ALL = 0x7FFFFFFF
"""Bits of everything."""

MEMORY = 1 << 30
"""Bytes for contacts and factors."""

TYPES = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "hull": mujoco.mjtGeom.mjGEOM_MESH,
}


def describe(kind: Kind) -> None:
    """Writes the description without what scenes have not: limits and what acts on joints."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    tree = ElementTree.parse(kind.urdf)
    for joint in tree.getroot().findall("joint"):
        for tag in ("limit", "dynamics", "mimic"):
            for child in joint.findall(tag):
                joint.remove(child)
        if joint.get("type") == "revolute":
            joint.set("type", "continuous")
    change(FOLDER / kind.urdf.name, tree.write)


def robot_spec(kind: Kind) -> mujoco.MjSpec:
    """A robot alone, without solids, and with a site `tool` if it has one."""
    describe(kind)
    spec = mujoco_spec(FOLDER / kind.urdf.name, False)
    if kind.floating:
        spec.worldbody.first_body().add_freejoint().name = "base"
    if kind.tool:
        link, place = kind.tool
        site = spec.body(link).add_site()
        site.name, site.pos = "tool", place
    return spec


def model(scene: Scene) -> mujoco.MjModel:
    """All of it, at its start."""
    spec = mujoco.MjSpec()
    spec.memory = MEMORY
    spec.option.timestep = STEP
    spec.worldbody.name = "world"
    floor = spec.worldbody.add_geom()
    floor.type, floor.size = mujoco.mjtGeom.mjGEOM_PLANE, [0.0, 0.0, 1.0]
    _surface(floor, scene.friction)
    for k, robot in enumerate(scene.robots):
        _add_robot(spec, robot, 2 << k)
    for thing in scene.things:
        x, y, z, w = thing.turn
        carrier = spec.worldbody.add_body()
        carrier.name, carrier.pos, carrier.quat = thing.name, thing.place, [w, x, y, z]
        if not thing.fixed:
            carrier.add_freejoint().name = thing.name
        geom = _add_solid(spec, carrier, thing.solid, thing.name)
        geom.density = thing.density
        _surface(geom, scene.friction)
    return spec.compile()


def _add_robot(spec: mujoco.MjSpec, robot: Robot, bit: int) -> None:
    own = robot_spec(robot.kind)
    for k, part in enumerate((*robot.kind.parts, *robot.kind.feet)):
        geom = _add_part(own, part, f"part {k}")
        geom.mass, geom.density = 0.0, 0.0
        _surface(geom, robot.kind.friction)
        # No solid of a robot touches another one of it.
        geom.contype, geom.conaffinity = bit, ALL & ~bit
    spec.attach(own, prefix=f"{robot.name} ", frame=spec.worldbody.add_frame())


def _add_part(spec: mujoco.MjSpec, part: Part, name: str) -> mujoco.MjsGeom:
    geom = _add_solid(spec, spec.body(part.link), part.solid, name)
    geom.pos = part.at
    mujoco.mju_euler2Quat(geom.quat, list(part.rpy), "XYZ")
    return geom


def _add_solid(
    spec: mujoco.MjSpec, carrier: mujoco.MjsBody, solid: Solid, name: str
) -> mujoco.MjsGeom:
    geom = carrier.add_geom()
    geom.type = TYPES[solid.kind]
    if solid.kind == "hull":
        mesh = spec.add_mesh()
        mesh.name, mesh.uservert = name, list(solid.sizes)
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
        geom.meshname = name
    elif solid.kind == "box":
        geom.size = [0.5 * edge for edge in solid.sizes]
    else:
        radius, *length = solid.sizes
        geom.size = [radius, *(0.5 * of for of in length), 0.0, 0.0][:3]
    return geom


def _surface(geom: mujoco.MjsGeom, friction: float) -> None:
    geom.condim, geom.friction = 3, [friction, 0.0, 0.0]
