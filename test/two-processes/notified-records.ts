import { isDeepStrictEqual } from "node:util"
import type { WireRecords } from "@restwell/simulator"
import type { World } from "@restwell/testing/world"

/** A record as the vendor writes it, without its person. To the vendor absent and null are the same. */
interface Version {
  readonly key: string
  readonly updatedAt: number
  readonly raw: unknown
}

/** True when the vendor has announced all records of a person: it announces a night only with its score. */
export const areAllNotified = ({ sleeps }: WireRecords): boolean =>
  sleeps.every(({ score_state }) => score_state !== "PENDING_SCORE")

/**
 * The records of a person that the vendor has announced. No event announces the open cycle, or the end of a cycle without a sleep, which
 * happens when the strap is not worn: polling finds both within 30 hours. Such a cycle is included if it is stored already.
 */
export function notifiedRecords(
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

/** The stored records of a person, in the same form. */
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

/** The records that only one side has, and the records that differ. */
export function differencesOf(stored: readonly Version[], truth: readonly Version[]): string[] {
  const known = new Map(stored.map((each) => [each.key, each]))
  const keys = new Set(truth.map(({ key }) => key))
  return [
    ...stored.filter(({ key }) => !keys.has(key)).map(({ key }) => `${key}: only stored`),
    ...truth.flatMap((each) => {
      const other = known.get(each.key)
      if (!other) return [`${each.key}: missing`]
      return isDeepStrictEqual(other, each) ? [] : [`${each.key}: different version`]
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
