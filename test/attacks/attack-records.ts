import { requestSync } from "@restwell/core"
import { toStorableJson } from "@restwell/providers"
import { storedRows, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { type HostileRecord, sendHostileRecords } from "./hostile-vendor.ts"

const DAY_MS = 86_400_000

interface Row {
  readonly kind: string
  readonly provider_id: string | null
  readonly raw: unknown
}

interface RejectedRow extends Row {
  readonly reason: string
}

export interface AttackOutcome {
  readonly cases: number
  /** Hostile records that were set aside. The others are valid: a harmless text in an unknown field. */
  readonly rejected: number
}

/**
 * Connects one person whose vendor sends hostile forms of every other record. Expects a working connection, every untouched record with
 * its true values, and every hostile one either rejected with a reason or stored as it was sent with plausible values.
 */
export async function attackRecords(world: World, seed: number): Promise<AttackOutcome> {
  const person = world.simulator.people.addOne()
  const truth = mapOf((await syncedRows(world, person.email)).rows)
  const vendor = sendHostileRecords(world.simulator, person, seed)
  const { userId, rows } = await syncedRows(world, person.email)
  expect(await stateOf(world, userId)).toEqual({ status: "ok", failures: 0, history_complete: true, retry_after: null })
  for (const row of rows.filter((stored) => vendor.untouched.has(keyOf(stored))))
    expect(own(row)).toEqual(own(truth.get(keyOf(row))))
  const keys = new Set(rows.map(keyOf))
  expect([...vendor.untouched].filter((key) => !keys.has(key))).toEqual([])
  for (const row of rows) expectPlausible(row)
  const rejected = await rejectedRows(world, userId)
  expectAllAccounted(vendor.hostile, await rawRows(world, userId), rejected)
  return { cases: vendor.hostile.length, rejected: rejected.length }
}

async function syncedRows(world: World, email: string) {
  await world.store.pool.query(`delete from restwell."user"`)
  const userId = await world.addUser()
  await world.connect(userId, { email })
  return { userId, rows: await storedRows(world, userId) }
}

/**
 * After the vendor has repaired its records, expects a connection of before to hold what a new one would. Versions that claimed a newer
 * `updated_at` stay until the vendor changes the record.
 */
export async function attackAndRepair(world: World, seed: number): Promise<void> {
  const person = world.simulator.people.addOne()
  const vendor = sendHostileRecords(world.simulator, person, seed)
  const { userId } = await syncedRows(world, person.email)
  vendor.repair()
  world.simulator.clock.advance(DAY_MS)
  await requestSync(world.context, { userId, provider: "whoop" })
  await world.runDue()
  const repaired = mapOf(await storedRows(world, userId))
  // Nobody can tell which record one without an id was.
  expect((await rejectedRows(world, userId)).filter(({ provider_id }) => provider_id !== null)).toEqual([])
  const newer = new Set(
    vendor.hostile.flatMap(({ kind, providerId, field }) => (field === "updated_at" ? [`${kind}/${providerId}`] : [])),
  )
  for (const row of (await syncedRows(world, person.email)).rows)
    if (!newer.has(keyOf(row))) expect(own(repaired.get(keyOf(row)))).toEqual(own(row))
}

const mapOf = <Stored extends Pick<Row, "kind" | "provider_id">>(
  rows: readonly Stored[],
): ReadonlyMap<string, Stored> => new Map(rows.map((row) => [keyOf(row), row]))

const keyOf = ({ kind, provider_id }: Pick<Row, "kind" | "provider_id">): string => `${kind}/${provider_id}`

async function stateOf({ store }: World, userId: string): Promise<unknown> {
  const { rows } = await store.pool.query(
    "select status, failures, history_complete, retry_after from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]
}

/** Without values that are derived from neighbours, which may be rejected. */
function own(row: object | undefined): object {
  const { date, skin_temp_deviation, ...rest } = { date: null, skin_temp_deviation: null, ...row }
  const isDerived = "kind" in rest && (rest.kind === "recovery" || rest.kind === "cycle")
  if (!isDerived) return { ...rest, date }
  return "kind" in rest && rest.kind === "recovery" ? { ...rest, started_at: null, utc_offset_minutes: null } : rest
}

const rawRows = async ({ store }: World, userId: string): Promise<readonly Row[]> =>
  (await store.pool.query<Row>("select kind, provider_id, raw from restwell.record where user_id = $1", [userId])).rows

const rejectedRows = async ({ store }: World, userId: string): Promise<readonly RejectedRow[]> =>
  (
    await store.pool.query<RejectedRow>(
      "select kind, provider_id, raw, reason from restwell.rejected_record where user_id = $1",
      [userId],
    )
  ).rows

function expectAllAccounted(
  hostile: readonly HostileRecord[],
  stored: readonly Row[],
  rejected: readonly RejectedRow[],
): void {
  for (const { reason } of rejected) expect(reason).toMatch(/^[^\0]{1,200}: [^\0]{3,500}$/)
  const known = new Set([...stored, ...rejected].map(({ kind, raw }) => `${kind} ${canonical(raw)}`))
  const ids = new Set([...stored, ...rejected].map(keyOf))
  const lost = hostile.filter(({ kind, text }) => {
    const sent = JSON.parse(text)
    // Of two records with one id the newer one is kept.
    const id: unknown = kind === "recovery" ? Object(sent).cycle_id : Object(sent).id
    const isReplaced = (typeof id === "string" || typeof id === "number") && ids.has(`${kind}/${id}`)
    return !known.has(`${kind} ${canonical(toStorableJson(sent))}`) && !isReplaced
  })
  expect(lost).toEqual([])
}

/** JSON text that is equal for equal values: PostgreSQL orders keys, and JSON has neither -0 nor infinities. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

/** Bounds of the issue, apart from the table under test. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  scorePercent: [0, 100],
  efficiencyPercent: [0, 100],
  consistencyPercent: [0, 100],
  strain: [0, 21],
  averageHeartRateBpm: [20, 250],
  maxHeartRateBpm: [20, 250],
  restingHeartRateBpm: [20, 250],
  hrvMs: [1, 500],
  spo2Percent: [50, 100],
  respiratoryRatePerMinute: [3, 80],
  skinTempCelsius: [10, 50],
  energyKcal: [0, 50_000],
  distanceMeters: [0, 10_000_000],
  lightMs: [0, 86_400_000],
  deepMs: [0, 86_400_000],
  remMs: [0, 86_400_000],
  awakeMs: [0, 86_400_000],
}

function expectPlausible(row: object): void {
  const check = (value: unknown): void => {
    for (const [name, inner] of Object.entries(Object(value))) {
      const bounds = BOUNDS[name]
      if (bounds && typeof inner === "number")
        expect(inner >= bounds[0] && inner <= bounds[1], `${name} = ${inner}`).toBe(true)
      else if (typeof inner === "object") check(inner)
    }
  }
  check("detail" in row ? row.detail : undefined)
  if ("kind" in row && row.kind === "sleep" && "started_at" in row && "ended_at" in row)
    expect(Number(row.ended_at) - Number(row.started_at)).toBeLessThanOrEqual(86_400_000)
}
