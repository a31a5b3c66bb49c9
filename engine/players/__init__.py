"""Computer players: each chooses among legal moves from what its seat can see."""
