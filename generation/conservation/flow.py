"""How much of a vessel's liquid has left it, over time: a closed schedule that adds up to its amount."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaln

from generation.scene import Float

# Exponent 1.5 at the start lets the vessel tilt at a steady speed while the stream sets in.
_SHAPE = 2.5
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)


@dataclass(frozen=True)
class Flow:
    """Liquid leaving a vessel, from nothing to nothing.

    Attributes:
        amount: m^3 that leave if nothing stops them. start, end: s, when the first and the last of it leave.
        stop: s, when the vessel is set upright again, and the flow fades; infinite if it isn't.
        fade: s that this takes.
    """

    amount: float
    start: float
    end: float
    stop: float = np.inf
    fade: float = 0.0

    def rate(self, time: Float) -> Float:
        """Return the flow in m^3/s at times in s."""
        return self._free_rate(time) * (1 - _ease((np.asarray(time) - self.stop) / (self.fade or 1.0)))

    def poured(self, time: Float) -> Float:
        """Return the volume in m^3 that has left by times in s, exact and never falling."""
        time = np.asarray(time, dtype=np.float64)
        early = np.minimum(time, self.stop)
        total = self.amount * betainc(_SHAPE, _SHAPE, self._share(early))
        if np.isfinite(self.stop):
            late = np.clip(time - self.stop, 0.0, self.fade)[..., None]
            total = (
                total + (self.rate(self.stop + late * (_NODES + 1) / 2) * _WEIGHTS).sum(-1) * late[..., 0] / 2
            )
        return np.asarray(total)

    @property
    def finish(self) -> float:
        """When the last of it leaves, s."""
        return min(self.end, self.stop + self.fade)

    def stopped_after(self, volume: float, fade: float) -> Flow:
        """Return the same flow, stopped so that a smaller volume leaves in all.

        Args:
            volume: m^3. fade: s between the first sign and the last drop.
        """

        def excess(stop: float) -> float:
            cut = Flow(self.amount, self.start, self.end, stop, fade)
            return float(cut.poured(np.array(np.inf))) - volume

        stop = brentq(excess, self.start, self.end, xtol=1e-15, rtol=1e-14)
        return Flow(self.amount, self.start, self.end, float(stop), fade)

    def _share(self, time: Float) -> Float:
        return np.clip((time - self.start) / (self.end - self.start), 0.0, 1.0)

    def _free_rate(self, time: Float) -> Float:
        x = self._share(np.asarray(time, dtype=np.float64))
        density = (x * (1 - x)) ** (_SHAPE - 1) / np.exp(betaln(_SHAPE, _SHAPE))
        return self.amount / (self.end - self.start) * density


def _ease(x: Float) -> Float:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3 - 2 * x)
