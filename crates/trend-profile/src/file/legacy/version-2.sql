-- The tables of version 2.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- What the program was built from: one row per counted object, by the path of its notes.
CREATE TABLE objects (path TEXT PRIMARY KEY, stamp INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE functions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL, linkage TEXT NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL, signature TEXT NOT NULL,
    UNIQUE (file, line, linkage, name, signature)
) STRICT;
-- `id` is the position in a blob of counts; `kind` is 0 for a block, 1 for a function's entry.
-- `lines` is a JSON array.
CREATE TABLE locations (
    id INTEGER PRIMARY KEY,
    function INTEGER NOT NULL REFERENCES functions (id),
    kind INTEGER NOT NULL, block INTEGER NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL, lines TEXT NOT NULL, label TEXT NOT NULL,
    UNIQUE (function, kind, block, label)
) STRICT;
CREATE TABLE workloads (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    command TEXT NOT NULL, input TEXT, fingerprint TEXT NOT NULL
) STRICT;
-- `status`: finished, failed, crashed, timed out, no counts, not started.
-- `detail`: the exit code, the signal, the reason. `counts`: zstd of LEB128 by location id.
-- Times are in seconds; those of imported counts are NULL.
CREATE TABLE runs (
    workload INTEGER NOT NULL REFERENCES workloads (id) ON DELETE CASCADE,
    repetition INTEGER NOT NULL,
    status TEXT NOT NULL, detail TEXT NOT NULL,
    wall REAL, user REAL, system REAL, peak_rss_bytes INTEGER,
    stderr_tail TEXT NOT NULL, counts BLOB,
    PRIMARY KEY (workload, repetition)
) STRICT, WITHOUT ROWID;
-- `definition` is JSON.
CREATE TABLE features (
    name TEXT PRIMARY KEY, position INTEGER NOT NULL, definition TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE feature_values (
    workload INTEGER NOT NULL REFERENCES workloads (id) ON DELETE CASCADE,
    feature TEXT NOT NULL, value REAL,
    PRIMARY KEY (workload, feature)
) STRICT, WITHOUT ROWID;
CREATE TABLE sources (file TEXT PRIMARY KEY, length INTEGER NOT NULL, text BLOB NOT NULL) STRICT;
CREATE TABLE warnings (kind TEXT NOT NULL, message TEXT NOT NULL, UNIQUE (kind, message)) STRICT;
-- What input-sensitive profilers measure: costs of a routine's calls by the size of their input.
CREATE TABLE routines (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL, linkage TEXT NOT NULL, object TEXT NOT NULL,
    UNIQUE (linkage, name, object)
) STRICT;
-- `context`: the callers, or empty for all. `metric`: rms or drms.
CREATE TABLE routine_tuples (
    workload INTEGER NOT NULL REFERENCES workloads (id) ON DELETE CASCADE,
    routine INTEGER NOT NULL REFERENCES routines (id),
    context TEXT NOT NULL, metric TEXT NOT NULL,
    size INTEGER NOT NULL, calls INTEGER NOT NULL,
    min INTEGER NOT NULL, max INTEGER NOT NULL, sum INTEGER NOT NULL, sum_of_squares REAL NOT NULL,
    PRIMARY KEY (workload, routine, context, metric, size)
) STRICT, WITHOUT ROWID;
