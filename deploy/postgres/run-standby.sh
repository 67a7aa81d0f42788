#!/usr/bin/env bash
# A standby: copies the primary at its first start, then streams from it.
set -euo pipefail
primary="${PRIMARY_HOST:-postgres}"
# From the environment, not the cluster's files, so that a new password needs no other change.
export PGPASSWORD="$REPLICATION_PASSWORD"
if [[ ! -s "$PGDATA/PG_VERSION" ]]; then
  # Copied beside the target, so that an interrupted copy is never used.
  rm -rf "$PGDATA.copying" "$PGDATA"
  pg_basebackup --host "$primary" --username replicator --pgdata "$PGDATA.copying" --wal-method stream --checkpoint fast --progress
  touch "$PGDATA.copying/standby.signal"
  mv "$PGDATA.copying" "$PGDATA"
fi
exec postgres -c primary_conninfo="host=$primary user=replicator application_name=standby" "$@"
