"""The hand log and the warehouse: checking, loading, quarantine, snapshots."""
