"""Look into a warehouse's tables."""


def rows(warehouse, table):
    """Return a table's rows as dictionaries."""
    found = warehouse.cursor().execute(f"FROM {table}")
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def contents(warehouse):
    """Return everything that the warehouse holds, by table."""
    tables = warehouse.cursor().execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    return {table: rows(warehouse, table) for (table,) in tables}
