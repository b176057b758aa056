"""The command line of `mdeval`: md-eval's single letters, read as md-eval reads them, and our own long options.

Perl's ``Getopt::Std`` is what md-eval uses: flags may be clustered, a value may be attached, the first argument that
is no option ends the parsing, the last of a repeated option wins. Long options are ours and may stand anywhere
before that end.
"""

from __future__ import annotations

from mdeval.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FLAGS", "VALUES", "Options", "parse"]

FLAGS = "1mvhndDwWoxe"
VALUES = "rRsSucaAMzZyYtTlgpP"

_LONG_FLAGS = {
    "csv", "help", "ignore-channels", "json", "nist", "per-file", "quiet", "strict", "table", "verbose", "version",
}  # fmt: skip
_LONG_VALUES = {
    "aggregate", "bootstrap", "edges", "jobs", "level", "metrics", "missing", "output", "ref-words", "seed",
    "sys-words", "tolerance",
}  # fmt: skip
_LONG_LETTERS = {"ref": "r", "sys": "s", "uem": "u", "collar": "c", "single-speaker": "1"}
"""Long names of the existing Python port, for scripts that use them."""


class Options:
    """What was given on the command line.

    Attributes
    ----------
    letters : dict of str to str
        Value of each letter given; ``"1"`` for a flag.
    long : dict of str to str
        Value of each long option given; ``"1"`` for a flag.
    unknown : list of str
        Letters that md-eval does not know.
    ignored : list of str
        Arguments after the end of the parsing.
    """

    __slots__ = ("ignored", "letters", "long", "unknown")

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}
        self.long: dict[str, str] = {}
        self.unknown: list[str] = []
        self.ignored: list[str] = []

    def __contains__(self, name: str) -> bool:
        return name in (self.letters if len(name) == 1 else self.long)

    def get(self, name: str, default: str = "") -> str:
        """Give the value of an option, or the default."""
        return (self.letters if len(name) == 1 else self.long).get(name, default)


def parse(arguments: Sequence[str]) -> Options:
    """Read the arguments.

    Parameters
    ----------
    arguments : sequence of str
        Without the name of the program.

    Returns
    -------
    Options
        What was given. Values are not checked.

    Raises
    ------
    UsageError
        At an unknown long option, or one that lacks its value or has one it does not take.
    """
    options = Options()
    rest = list(arguments)
    while rest:
        argument = rest[0]
        if not argument.startswith("-") or argument == "-":
            break
        rest.pop(0)
        if argument == "--":
            break
        if argument.startswith("--"):
            _read_long(argument[2:], rest, options)
        elif _read_cluster(argument[1:], rest, options):
            break
    options.ignored = rest
    return options


def _read_cluster(cluster: str, rest: list[str], options: Options) -> bool:
    """Read the letters of one argument. True if they turn into the ``--`` that ends the parsing."""
    while cluster:
        letter, cluster = cluster[0], cluster[1:]
        if letter == "-" and not cluster:
            return True
        if letter in VALUES:
            if cluster or rest:
                options.letters[letter] = cluster or rest.pop(0)
            else:
                options.letters.pop(letter, None)
            return False
        if letter in FLAGS:
            options.letters[letter] = "1"
        else:
            options.unknown.append(letter)
    return False


def _read_long(text: str, rest: list[str], options: Options) -> None:
    name, equals, value = text.partition("=")
    letter = _LONG_LETTERS.get(name, "")
    if name in _LONG_FLAGS or (letter and letter in FLAGS):
        if equals:
            raise UsageError(f"--{name} takes no value")
        value = "1"
    elif name in _LONG_VALUES or letter:
        if not equals:
            if not rest:
                raise UsageError(f"--{name} needs a value: --{name} VALUE or --{name}=VALUE")
            value = rest.pop(0)
    else:
        raise UsageError(f"unknown option --{name}{_nearest(name)}; mdeval --help lists them all")
    if letter:
        options.letters[letter] = value
    else:
        options.long[name] = value


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*_LONG_FLAGS, *_LONG_VALUES, *_LONG_LETTERS], n=1)
    return f" (did you mean --{near[0]}?)" if near else ""
