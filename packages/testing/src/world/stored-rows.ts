import type { Person } from "@restwell/simulator"
import { expect } from "vitest"
import { keysOf } from "../vendor/vendor-under-test.ts"
import type { World } from "./world.ts"

/** A stored record without whose it is: two people of the same member have the same. Absent and null are the same to the vendor. */
const ROWS = `
  select kind, provider_id, date::text, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at, sleep_provider_id,
         cycle_provider_id, skin_temp_deviation, detail, jsonb_strip_nulls(raw) as raw
  from restwell.record where user_id = $1 order by kind, provider_id`

export interface StoredRow {
  readonly kind: string
  readonly provider_id: string
  readonly ended_at: Date | null
  readonly vendor_updated_at: Date
}

/** A world, or anything else with a database. */
interface Stored {
  readonly store: Pick<World["store"], "pool">
}

export async function storedRows({ store }: Stored, userId: string): Promise<StoredRow[]> {
  const { rows } = await store.pool.query<StoredRow>(ROWS, [userId])
  return rows
}

/** What a service would hold that connected this very moment, and what it then holds is all that the vendor has. */
export async function truthOf(world: World, person: Person): Promise<StoredRow[]> {
  const other = await world.addUser()
  await world.connect(other, person, "allow")
  const rows = await storedRows(world, other)
  expect(rows.map(({ kind, provider_id }) => `${kind}/${provider_id}`)).toEqual(keysOf(world.vendor, person))
  await world.store.pool.query(`delete from restwell."user" where id = $1`, [other])
  return rows
}

/**
 * Expects that the stored records of an account are the vendor's, apart from the open cycle. Where cycles end by the clock, one that is
 * still open in the last look counts as open.
 */
export async function expectTruth(
  world: World,
  { userId, person }: { readonly userId: string; readonly person: Person },
  stored: Stored = world,
): Promise<number> {
  const truth = await truthOf(world, person)
  const rows = await storedRows(stored, userId)
  const openIds = new Set([...rows, ...truth].filter(isOpenCycle).map((row) => row.provider_id))
  const closed = (all: readonly StoredRow[]) =>
    world.vendor.cyclesEndByClock
      ? all.filter((row) => row.kind !== "cycle" || !openIds.has(row.provider_id))
      : withoutOpenCycle(all)
  expect(closed(rows)).toEqual(closed(truth))
  return rows.length
}

const isOpenCycle = ({ kind, ended_at }: StoredRow): boolean => kind === "cycle" && ended_at === null

/** The running figures of the open cycle apart, which are as old as the last look at it. */
export const withoutOpenCycle = (rows: readonly StoredRow[]): StoredRow[] =>
  rows.filter(({ kind, ended_at }) => kind !== "cycle" || ended_at !== null)
