"""The Coastal Rating: parameters, rules, replay, runs, audit."""
