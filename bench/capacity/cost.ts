/** What operations cost the service and PostgreSQL: time of a core, write-ahead log and syncs of the disk. */
import { setTimeout as wait } from "node:timers/promises"
import type { Pool } from "pg"
import { coreSecondsOfTree } from "../idle/process-memory.ts"
import type { KindName } from "./rates.ts"

/** The processes that are measured. */
export interface Measured {
  readonly pool: Pool
  /** Of the service. */
  readonly servicePids: readonly number[]
  /** The first process of PostgreSQL. */
  readonly databasePid: number
}

/** What one or more turns did and took. */
export interface Spent {
  readonly operations: number
  readonly elapsedMs: number
  readonly serviceMs: number
  readonly databaseMs: number
  readonly walBytes: number
  readonly walSyncs: number
  /** From sending a request to the end of its response, where a turn times that. */
  readonly timesMs: readonly number[]
}

const NOTHING: Spent = {
  operations: 0,
  elapsedMs: 0,
  serviceMs: 0,
  databaseMs: 0,
  walBytes: 0,
  walSyncs: 0,
  timesMs: [],
}

/** Each kind before its first turn. */
export const UNMEASURED: Readonly<Record<KindName, Spent>> = {
  night: NOTHING,
  workout: NOTHING,
  refresh: NOTHING,
  poll: NOTHING,
  push: NOTHING,
  cold: NOTHING,
  hot: NOTHING,
  conditional: NOTHING,
  briefing: NOTHING,
}

export const added = (one: Spent, other: Spent): Spent => ({
  operations: one.operations + other.operations,
  elapsedMs: one.elapsedMs + other.elapsedMs,
  serviceMs: one.serviceMs + other.serviceMs,
  databaseMs: one.databaseMs + other.databaseMs,
  walBytes: one.walBytes + other.walBytes,
  walSyncs: one.walSyncs + other.walSyncs,
  timesMs: [...one.timesMs, ...other.timesMs],
})

/** What a turn did. */
export interface Turn {
  readonly operations: number
  readonly timesMs?: readonly number[]
}

/** Runs a turn and measures what it took. */
export async function spentBy(measured: Measured, run: () => Promise<Turn>): Promise<Spent> {
  const before = await look(measured)
  const startedAt = performance.now()
  const { operations, timesMs = [] } = await run()
  const elapsedMs = performance.now() - startedAt
  const after = await look(measured)
  return {
    operations,
    elapsedMs,
    serviceMs: after.serviceMs - before.serviceMs,
    databaseMs: after.databaseMs - before.databaseMs,
    walBytes: after.walBytes - before.walBytes,
    walSyncs: after.walSyncs - before.walSyncs,
    timesMs,
  }
}

/** A session of PostgreSQL reports its syncs once a second. */
const REPORTED_MS = 1_200

interface Look {
  readonly serviceMs: number
  readonly databaseMs: number
  readonly walBytes: number
  readonly walSyncs: number
}

async function look({ pool, servicePids, databasePid }: Measured): Promise<Look> {
  await wait(REPORTED_MS)
  const { rows } = await pool.query<{ bytes: string; syncs: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes,
       (select sum(fsyncs) from pg_stat_io where object = 'wal') as syncs`,
  )
  const service = await Promise.all(servicePids.map(coreSecondsOfTree))
  return {
    serviceMs: 1_000 * service.reduce((sum, seconds) => sum + seconds, 0),
    databaseMs: 1_000 * (await coreSecondsOfTree(databasePid)),
    walBytes: Number(rows[0]?.bytes),
    walSyncs: Number(rows[0]?.syncs),
  }
}
