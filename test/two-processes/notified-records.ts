import { isDeepStrictEqual } from "node:util"
import type { WireRecords } from "@restwell/simulator"
import type { World } from "./world.ts"

/** A record without whose it is, as the vendor writes it. Absent and null are the same to the vendor. */
interface Version {
  readonly key: string
  readonly updatedAt: number
  readonly raw: unknown
}

/** True when the vendor has told of everything it has: a night is told of once it has its score. */
export const isAllTold = ({ sleeps }: WireRecords): boolean =>
  sleeps.every(({ score_state }) => score_state !== "PENDING_SCORE")

/**
 * All that the vendor has of a person but for what no event tells of and the evening's look or the night's reading finds within 30 hours: the cycle
 * that still grows, and the end of one that no sleep ended, because the strap lay in a drawer, unless it is stored already.
 */
export function toldTruth(
  { cycles, sleeps, recoveries, workouts }: WireRecords,
  stored: readonly { readonly key: string }[],
): Version[] {
  const begun = new Set(sleeps.map(({ start }) => Date.parse(start)))
  const known = new Set(stored.map(({ key }) => key))
  const ended = cycles.filter(({ id, end }) => end && (begun.has(Date.parse(end)) || known.has(`cycle/${id}`)))
  return [
    ...ended.map((raw) => version(`cycle/${raw.id}`, raw)),
    ...recoveries.map((raw) => version(`recovery/${raw.cycle_id}`, raw)),
    ...sleeps.map((raw) => version(`sleep/${raw.id}`, raw)),
    ...workouts.map((raw) => version(`workout/${raw.id}`, raw)),
  ].toSorted(byKey)
}

/** The same of the store. */
export async function storedVersions({ store }: Pick<World, "store">, userId: string): Promise<Version[]> {
  const { rows } = await store.pool.query<{ kind: string; provider_id: string; updated_at: Date; raw: unknown }>(
    `select kind, provider_id, vendor_updated_at as updated_at, jsonb_strip_nulls(raw) as raw from restwell.record
     where user_id = $1 and (kind <> 'cycle' or ended_at is not null)`,
    [userId],
  )
  return rows
    .map(({ kind, provider_id, updated_at, raw }) => ({
      key: `${kind}/${provider_id}`,
      updatedAt: updated_at.getTime(),
      raw,
    }))
    .toSorted(byKey)
}

/** What one side has and the other has not, or not so. */
export function differencesOf(stored: readonly Version[], truth: readonly Version[]): string[] {
  const known = new Map(stored.map((each) => [each.key, each]))
  const keys = new Set(truth.map(({ key }) => key))
  return [
    ...stored.filter(({ key }) => !keys.has(key)).map(({ key }) => `${key}: only stored`),
    ...truth.flatMap((each) => {
      const other = known.get(each.key)
      if (!other) return [`${each.key}: missing`]
      return isDeepStrictEqual(other, each) ? [] : [`${each.key}: another version`]
    }),
  ]
}

function version(key: string, raw: { readonly updated_at: string }): Version {
  return { key, updatedAt: Date.parse(raw.updated_at), raw: withoutNulls(JSON.parse(JSON.stringify(raw))) }
}

const byKey = (one: Version, other: Version): number => (one.key < other.key ? -1 : 1)

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === null || each === undefined ? [] : [[name, withoutNulls(each)]],
    ),
  )
}
