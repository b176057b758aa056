"""How many examples the property tests take: few and always the same, or many (HYPOTHESIS_PROFILE=thorough)."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True, max_examples=60, database=None)
settings.register_profile("thorough", deadline=None, max_examples=1000, database=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
