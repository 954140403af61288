"""Files that users give to commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from physprobe.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


def read_csv(path: Path) -> pd.DataFrame:
    """Read a CSV file as a table.

    Raises:
        UserError: it can't be read.
    """
    import pandas as pd

    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path} can't be read as CSV ({str(error).splitlines()[0]})") from error
