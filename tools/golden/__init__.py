"""The parts of ``tools/conformance.py``: one module per folder of golden data, and the report they share."""
