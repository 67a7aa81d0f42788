import { utcDateOf } from "@restwell/client/calendar-dates"
import type { Person } from "@restwell/simulator"
import { expect } from "vitest"
import { keysOf } from "../vendor/vendor-under-test.ts"
import type { World } from "./world.ts"

/** A stored record without whose it is: two people of the same member have the same. Absent and null are the same to the vendor. */
const ROWS = `
  select kind, provider_id, date::text, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at, sleep_provider_id,
         cycle_provider_id, skin_temp_deviation, detail, course, jsonb_strip_nulls(raw) as raw
  from restwell.record where user_id = $1 order by kind, provider_id`

export interface StoredRow {
  readonly kind: string
  readonly provider_id: string
  readonly ended_at: Date | null
  readonly utc_offset_minutes: number
  readonly vendor_updated_at: Date
  /** As the vendor sent it. */
  readonly raw: unknown
}

/** A world, or anything else with a database. */
interface Stored {
  readonly store: Pick<World["store"], "pool">
}

export async function storedRows({ store }: Stored, userId: string): Promise<StoredRow[]> {
  const { rows } = await store.pool.query<StoredRow>(ROWS, [userId])
  return rows
}

/**
 * Packed samples of each day and record. Those that are no parts of records are as new as the last look at them, so a later day is left
 * out: a ring sends a day in parts.
 */
const SERIES = `
  select s.type, s.day::text, s.record_id, s.count, md5(s.samples) as samples from restwell.series_day s
  where s.user_id = $1 and (s.record_id <> '' or s.day < $2::date) order by s.type, s.day, s.record_id`

/** The UTC day of the newest sample that is no part of a record. */
const SERIES_END =
  "select coalesce(max(samples_until), 'epoch')::timestamptz as until from restwell.connection where user_id = $1"

async function storedSeries({ store }: Stored, userId: string, end: Date): Promise<unknown[]> {
  return (await store.pool.query(SERIES, [userId, utcDateOf(end)])).rows
}

/** What a service would hold that connected this very moment, and what it then holds is all that the vendor has. */
export const truthOf = async (world: World, person: Person): Promise<StoredRow[]> =>
  (await wholeTruthOf(world, person, new Date(0))).rows

async function wholeTruthOf(world: World, person: Person, seriesEnd: Date) {
  const other = await world.addUser()
  await world.connect(other, person, "allow")
  const rows = await storedRows(world, other)
  expect(rows.map(({ kind, provider_id }) => `${kind}/${provider_id}`)).toEqual(keysOf(world.vendor, person))
  const series = await storedSeries(world, other, seriesEnd)
  await world.store.pool.query(`delete from restwell."user" where id = $1`, [other])
  return { rows, series }
}

/**
 * Expects that the stored records and samples of an account are the vendor's, apart from the open cycle. Where cycles end by the clock, one that is
 * still open in the last look counts as open.
 */
export async function expectTruth(
  world: World,
  { userId, person }: { readonly userId: string; readonly person: Person },
  stored: Stored = world,
): Promise<number> {
  const { rows: ends } = await stored.store.pool.query<{ until: Date }>(SERIES_END, [userId])
  const seriesEnd = ends[0]?.until ?? new Date(0)
  const { rows: truth, series } = await wholeTruthOf(world, person, seriesEnd)
  const rows = await storedRows(stored, userId)
  const openIds = new Set([...rows, ...truth].filter(isOpenCycle).map((row) => row.provider_id))
  const closed = (all: readonly StoredRow[]) =>
    world.vendor.cyclesEndByClock
      ? all.filter((row) => row.kind !== "cycle" || !openIds.has(row.provider_id))
      : withoutOpenCycle(all)
  expect(closed(rows)).toEqual(closed(truth))
  expect(await storedSeries(stored, userId, seriesEnd)).toEqual(series)
  return rows.length
}

const isOpenCycle = ({ kind, ended_at }: StoredRow): boolean => kind === "cycle" && ended_at === null

/** The running figures of the open cycle apart, which are as old as the last look at it. */
export const withoutOpenCycle = (rows: readonly StoredRow[]): StoredRow[] =>
  rows.filter(({ kind, ended_at }) => kind !== "cycle" || ended_at !== null)
