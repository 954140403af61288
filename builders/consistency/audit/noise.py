"""Statistics of an image's noise, without regard to place."""

from __future__ import annotations

import numpy as np

from builders.consistency.audit.pictures import Float, Picture

_SHIFTS = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0))
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_TINY = 1e-3


def noise(picture: Picture) -> Float:
    """Describe noise: channel by channel (size, shape, zeros, autocorrelation), across channels, and locally.

    Returns:
        (10 * 3 + 3 + 7,).
    """
    residual = picture.residual
    by_channel = [_channel(channel) for channel in residual]
    return np.array(
        [*np.concatenate(by_channel), *_correlations(residual), *_local(picture.block_noise)], np.float32
    )


def _channel(values: Float) -> list[float]:
    """Describe a channel of the residual, (H - 2, W - 2)."""
    centred = (values - values.mean()).ravel()
    squares = centred * centred
    scale = max(float(squares.mean()), _TINY)
    shifts = (down * values.shape[1] + right for down, right in _SHIFTS)
    return [
        float(np.log(scale)),
        float(np.log(np.median(np.abs(values[::2, ::2])) + _TINY)),
        float(squares @ squares) / centred.size / scale**2,
        float(squares @ centred) / centred.size / scale**1.5,
        1 - np.count_nonzero(values) / values.size,
        # The last pixels of a row count as neighbours of the next one's first: a share that never matters.
        *(float(centred[shift:] @ centred[:-shift]) / centred.size / scale for shift in shifts),
    ]


def _correlations(residual: Float) -> list[float]:
    """Correlate the channels with each other."""
    flat = residual.reshape(3, -1)
    covariance = flat @ flat.T / flat.shape[1]
    scale = np.sqrt(np.maximum(np.diag(covariance), _TINY))
    return [float(covariance[a, b] / scale[a] / scale[b]) for a, b in ((0, 1), (0, 2), (1, 2))]


def _local(levels: Float) -> list[float]:
    return [*np.log(np.quantile(levels, _QUANTILES) + _TINY)]
