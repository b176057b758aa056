"""Addresses of the web, and what speaks HTTP."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
)

from discophon.errors import UsageError
from discophon.printable import said

__all__ = ["make_opener", "refuse_other_schemes"]


def refuse_other_schemes(url: str) -> None:
    """Refuse an address that is not one of the web.

    Parameters
    ----------
    url : str
        The address.

    Raises
    ------
    UsageError
        If it is no ``http`` or ``https`` address.
    """
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # brackets that do not match, a port that is no number
        is_good = False
    if not is_good:
        raise UsageError(f"{said(url)}: not an http or https address")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError(f"{url!r}: an address has no blanks and only ASCII letters; write others as in %C3%BC for ü")


def make_opener() -> OpenerDirector:
    """Make what speaks HTTP and nothing else, wherever a redirection points to.

    Returns
    -------
    urllib.request.OpenerDirector
        The opener; an answer that is no success raises `urllib.error.HTTPError`.
    """
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        HTTPRedirectHandler(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
