"""Several systems' results in one table.

`read_systems` reads what ``discophon benchmark`` wrote, `build` makes the table, and `render` writes it as text.
"""

from __future__ import annotations

from discophon.leaderboard.read import System, read_systems
from discophon.leaderboard.render import FORMATS, render
from discophon.leaderboard.table import Cell, Column, Leaderboard, build

__all__ = ["FORMATS", "Cell", "Column", "Leaderboard", "System", "build", "read_systems", "render"]
