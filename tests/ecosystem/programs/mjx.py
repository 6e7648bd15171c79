"""MuJoCo MJX: kinematics, dynamics, contacts and tendons, batches of worlds,
gradients through steps."""

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
from mujoco import mjx

from library import Library

LIBRARY = Library("mjx")

PENDULUM = """
<mujoco><option timestep="0.01"/><worldbody>
  <body pos="0 0 2"><joint name="a" type="hinge" axis="0 1 0" damping="0.1"/>
    <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/>
    <body pos="0.5 0 0"><joint name="b" type="ball"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/></body></body>
</worldbody><actuator><motor joint="a" gear="2"/></actuator></mujoco>"""

CONTACTS = """
<mujoco><option timestep="0.005" iterations="4" ls_iterations="6"
  solver="{solver}" cone="{cone}" integrator="{integrator}"/>
<worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 0.25"><freejoint/><geom type="sphere" size="0.2"/></body>
  <body pos="0.1 0.05 0.7"><freejoint/>
    <geom type="capsule" size="0.1 0.2" euler="40 10 0"/></body>
  <body pos="0.9 0 0.31"><freejoint/>
    <geom type="box" size="0.2 0.3 0.3" euler="5 3 0"/></body>
</worldbody></mujoco>"""

TENDONS = """
<mujoco><option timestep="0.01"/><worldbody>
  <site name="top" pos="0 0 2"/>
  <body pos="0 0 1.5"><joint name="slide" type="slide" axis="0 0 1"
      range="-0.3 0.3" limited="true"/><geom size="0.1"/>
    <site name="bob" pos="0.1 0 0"/>
    <body pos="0.3 0 0"><joint name="turn" axis="0 1 0" stiffness="3"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body></body>
</worldbody>
<tendon><spatial name="rope" stiffness="20" damping="1" springlength="0.4">
    <site site="top"/><site site="bob"/></spatial>
  <fixed name="pair"><joint joint="slide" coef="1"/><joint joint="turn"
    coef="-0.5"/></fixed></tendon>
<equality><joint joint1="slide" joint2="turn"
  polycoef="0 0.2 0 0 0"/></equality>
<actuator><position tendon="rope" kp="5"/><velocity joint="turn" kv="0.3"/>
</actuator>
<sensor><tendonpos tendon="rope"/><jointvel joint="turn"/>
  <framepos objtype="site" objname="bob"/></sensor></mujoco>"""


def loaded(xml):
  """The model on the platform, and its start."""
  model = mujoco.MjModel.from_xml_string(xml)
  on_device = mjx.put_model(model, impl="jax")
  return on_device, mjx.make_data(model, impl="jax")


def stepped(xml, steps=6, worlds=3):
  """Positions, velocities and sensors of several worlds."""
  def make():
    model, start = loaded(xml)
    velocity = 0.3 * np.random.default_rng(0).normal(
        size=(worlds, model.nv)).astype(np.float32)
    control = np.full((worlds, model.nu), 0.2, np.float32)

    def run(velocity, control):
      def one(velocity, control):
        now = start.replace(qvel=velocity, ctrl=control)
        def step(now, _):
          now = mjx.step(model, now)
          return now, (now.qpos, now.qvel, now.sensordata)
        return jax.lax.scan(step, now, length=steps)[1]
      return jax.vmap(one)(velocity, control)

    return run, velocity, control
  return make


for name, text in {
    "pendulum": PENDULUM, "tendons": TENDONS,
    "contacts_cg": CONTACTS.format(solver="CG", cone="pyramidal",
                                   integrator="Euler"),
    "contacts_newton": CONTACTS.format(solver="Newton", cone="pyramidal",
                                       integrator="implicitfast"),
    "contacts_elliptic": CONTACTS.format(solver="Newton", cone="elliptic",
                                         integrator="Euler"),
    "pendulum_rk4": PENDULUM.replace('"0.01"', '"0.01" integrator="RK4"'),
}.items():
  LIBRARY.add(name, stepped(text), tolerance=2e-3)


@LIBRARY.program(tolerance=2e-3)
def gradient_through_steps():
  """How a final position depends on start and control."""
  model, start = loaded(PENDULUM)

  def final(velocity, control):
    now = start.replace(qvel=velocity, ctrl=control)
    now = jax.lax.scan(lambda d, _: (mjx.step(model, d), None), now,
                       length=8)[0]
    return jnp.sum(now.qpos ** 2) + jnp.sum(now.xpos[-1])

  return (jax.vmap(jax.value_and_grad(final, argnums=(0, 1))),
          0.3 * np.random.default_rng(1).normal(size=(3, 4)).astype(
              np.float32), np.full((3, 1), 0.5, np.float32))


@LIBRARY.program(tolerance=1e-4)
def kinematics_and_inertia():
  """Positions, Jacobians, mass matrix, inverse dynamics, energies."""
  model, start = loaded(TENDONS)

  def run(position):
    now = mjx.forward(model, start.replace(qpos=position))
    jacobian, _ = mjx.jac(model, now, now.xpos[-1], 2)
    return (now.xpos, now.xmat, jacobian, mjx.full_m(model, now),
            now.qfrc_bias, now.ten_length,
            mjx.inverse(model, now).qfrc_inverse)

  return jax.vmap(run), np.array([[0.1, 0.2], [-0.2, 1.0]], np.float32)
