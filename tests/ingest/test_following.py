"""A long statement is followed: what is told only grows, and ends with the step."""

import duckdb
import pytest

from ingest.following import followed

LONG = "SELECT sum(hash(a.range + b.range)) FROM range(60000) AS a, range(3000) AS b"


def test_a_long_statement_is_told_of_while_it_runs():
    said = []
    with duckdb.connect() as connection:
        with followed(connection, 2, 5, lambda done, total: said.append((done, total))):
            connection.execute(LONG).fetchall()
        before = len(said)
        connection.execute(LONG).fetchall()
    assert len(said) == before > 2
    shares = [done for done, _ in said]
    assert shares == sorted(shares)
    assert said[-1] == (3, 5)
    assert all(2 <= share <= 3 for share in shares)
    assert {total for _, total in said} == {5}


def test_a_failed_statement_is_not_told_of_as_done():
    said = []
    with duckdb.connect() as connection:
        with (
            pytest.raises(duckdb.CatalogException),
            followed(connection, 0, 1, lambda done, total: said.append(done)),
        ):
            connection.execute("FROM nowhere")
        assert 1 not in said


def test_nobody_need_listen():
    with duckdb.connect() as connection, followed(connection, 0, 1, None):
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
