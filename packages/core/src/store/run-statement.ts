import type { Pool, QueryResult, QueryResultRow } from "pg"
import { WatchedPool } from "./open-pool.ts"
import type { Statement } from "./statement.ts"

/** Runs a statement on a connection that keeps it prepared, or unprepared where a pooler shares the sessions. */
export const runStatement = <Row extends QueryResultRow>(
  pool: Pool,
  statement: Statement,
  values: unknown[],
): Promise<QueryResult<Row>> =>
  pool instanceof WatchedPool ? pool.run<Row>(statement, values) : pool.query<Row>({ ...statement, values })
