"""The rows of a run store, each checked against its checksum (docs/run-store.md, "Checksums")."""
import os
import stat
import struct
import zlib

APPLICATION = 0x4662726E  # "Fbrn"
VERSION = 2
WITHOUT_SUMS = 1  # the version that is still read, though it has no checksums
TABLES = {"meta", "meta_before", "signal", "block", "event", "checkpoint", "mesh", "total"}


class Damaged(Exception):
    """What is wrong with a store, in words."""


def _bytes_of(value):
    if value is None:
        return b"n" + bytes(8)
    if isinstance(value, int):
        return b"i" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"r" + struct.pack("<d", value)
    letter, data = (b"t", value.encode()) if isinstance(value, str) else (b"b", value)
    return letter + struct.pack("<Q", len(data)) + data


def row_sum(values):
    """CRC-32 of a row."""
    return zlib.crc32(b"".join(_bytes_of(value) for value in values))


def check_beside(path):
    """Refuses a journal or an index that SQLite would write into and that is a second name of another file."""
    for ending in ("-wal", "-shm"):
        try:
            found = os.lstat(path + ending)
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise Damaged(f"beside this file is run.db{ending}, which is a link or a second name of another file; remove "
                          "it, or read a copy of the folder")


def check_tables(db):
    """Refuses what a stranger may have put into a database: views, triggers, tables that are not ours."""
    for kind, name, text in db.execute("SELECT type, name, sql FROM sqlite_master"):
        added = kind == "index" and name.startswith("sqlite_autoindex_")
        if not added and (kind != "table" or name not in TABLES or not text.startswith("CREATE TABLE ")):
            raise Damaged(f"this database holds the {kind} '{name}', which is not as Freebody makes it")


def rows(db, version, table, columns, rest="", parameters=()):
    """The rows of a table, a tuple each, that fit their sums."""
    sums = version != WITHOUT_SUMS
    for row in db.execute(f"SELECT {columns}{', sum' if sums else ''} FROM {table} {rest}", parameters):
        values = row[:-1] if sums else row
        if sums and row_sum(values) != row[-1]:
            raise Damaged(f"the run is damaged: row '{values[0]}' of its table '{table}' does not fit its checksum; "
                          "restore run.db from a copy, or run the scenario again")
        yield values
