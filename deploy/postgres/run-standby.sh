#!/usr/bin/env bash
# A standby: copies the primary where it has nothing yet, then follows it.
set -euo pipefail
primary="${PRIMARY_HOST:-postgres}"
# Not in the cluster's own files, so that a new password is one in the environment.
export PGPASSWORD="$REPLICATION_PASSWORD"
if [[ ! -s "$PGDATA/PG_VERSION" ]]; then
  # Beside its place: a copy that was interrupted is never taken for a whole one.
  rm -rf "$PGDATA.copying" "$PGDATA"
  pg_basebackup --host "$primary" --username replicator --pgdata "$PGDATA.copying" --wal-method stream --checkpoint fast --progress
  touch "$PGDATA.copying/standby.signal"
  mv "$PGDATA.copying" "$PGDATA"
fi
exec postgres -c primary_conninfo="host=$primary user=replicator application_name=standby" "$@"
