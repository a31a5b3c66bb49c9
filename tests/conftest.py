"""Settings of the whole suite."""

from hypothesis import settings

# The first call of a compiled rule may compile it: no time limit an example.
settings.register_profile("coastal", deadline=None)
settings.load_profile("coastal")
