"""What the columns of a club's score sheet mean, read from TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from engine.errors import IngestError, RuleSetError
from engine.ruleset import RuleSet

DEFAULT_MAPPING: Final = Path(__file__).with_name("score_sheet.toml")

Part = Literal["canastas", "threes", "going_out", "melds", "holdings", "penalties", "special"]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SheetColumns(_Data):
    """Names of the columns that say which hand, when, who and how many points."""

    game: str
    hand: str
    started: str
    ended: str
    dealer: str
    players: tuple[str, ...] = Field(min_length=1, max_length=2)
    points: str


class SheetMappingError(IngestError):
    """A file does not say what a score sheet's columns mean."""


class SheetMapping(_Data):
    """What a sheet's columns mean; `score_sheet.toml` explains each field."""

    ruleset: str
    options: dict[str, StrictBool | StrictInt] = {}
    columns: SheetColumns
    parts: dict[Part, tuple[str, ...]] = {}
    canastas: dict[Literal["natural", "mixed"], str] = {}

    @classmethod
    def load(cls, path: Path = DEFAULT_MAPPING) -> SheetMapping:
        """Read a mapping.

        Raises:
            SheetMappingError: The file cannot be read or says something unknown; names the file and the key.
        """
        try:
            mapping = cls.model_validate(tomllib.loads(path.read_text("utf-8")))
            RuleSet.load(mapping.ruleset, **mapping.options)
        except OSError as error:
            raise SheetMappingError(f"{path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            raise SheetMappingError(f"{path} is no mapping of a score sheet: {faults}") from error
        except (ValueError, RuleSetError) as error:
            raise SheetMappingError(f"{path} is no mapping of a score sheet: {error}") from error
        return mapping

    @property
    def names(self) -> set[str]:
        """All columns that the sheet must have."""
        one = self.columns
        named = {one.game, one.hand, one.started, one.ended, one.dealer, *one.players, one.points}
        return named | {name for names in self.parts.values() for name in names} | set(self.canastas.values())
