"""Rules of canasta: cards, melds, hands, computer players. Knows no database, frame or page."""
