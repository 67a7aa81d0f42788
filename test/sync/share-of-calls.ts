import { requestSync, ServiceError } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { expect } from "vitest"

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A 25th of what WHOOP allows: two people can use it up. */
const CALLS = { perMinute: 100, perDay: 400 }
const HISTORY_DAYS = 60
/** Everyone sleeps in this time. */
const NEXT_NIGHT_HOURS = 30

interface Member {
  readonly userId: string
  readonly person: Person
}

export interface ShareOptions {
  readonly hasWebhooks: boolean
  /** What one person does again and again. */
  readonly disturb: (world: World, member: Member) => Promise<void>
  /** That person's history. @default two months */
  readonly days?: number
  /** How long it went on before the other connects. */
  readonly disturbedHours: number
  /** Time between two disturbances. */
  readonly everyMs: number
  /** Whether that person's own nights arrive in time as well. */
  readonly areOwnNightsServed: boolean
  /** The longest time from the score of a night to its arrival. */
  readonly longestMinutes: number
}

/** One person takes all calls they can get, and another connects: that one's first sync and next night arrive, within the limits. */
export async function expectServed(options: ShareOptions): Promise<void> {
  const {
    hasWebhooks,
    disturb,
    days = HISTORY_DAYS,
    disturbedHours,
    everyMs,
    areOwnNightsServed,
    longestMinutes,
  } = options
  const now = new Date("2026-11-20T07:00:00Z")
  const world = await createWorld({ days: HISTORY_DAYS, calls: CALLS, hasWebhooks, now })
  const { clock, requestLog } = world.simulator
  const disturber = await addMember(world, { email: "ada@example.com", days })
  await world.runDue()
  await pass(world, { durationMs: disturbedHours * HOUR_MS, everyMs, each: () => disturb(world, disturber) })
  const newcomer = await addMember(world, { email: "ben@example.com", days: HISTORY_DAYS })
  const connectedMs = clock.nowMs()
  await disturb(world, disturber)
  await world.runDue()
  expect(await hasWholeHistory(world, newcomer)).toBe(true)
  expect(clock.nowMs() - connectedMs).toBeLessThan(MINUTE_MS)
  const [own, other] = [watchNights(world, disturber), watchNights(world, newcomer)]
  await pass(world, {
    durationMs: NEXT_NIGHT_HOURS * HOUR_MS,
    everyMs,
    each: () => disturb(world, disturber),
    afterwards: () => Promise.all([own.look(), other.look()]),
  })
  for (const nights of areOwnNightsServed ? [own, other] : [other]) {
    expect(nights.arrived.size).toBeGreaterThan(0)
    expect(Math.max(0, ...nights.waits())).toBeLessThanOrEqual(longestMinutes * MINUTE_MS)
  }
  expect(requestLog.count({ status: 429 })).toBe(0)
  await world.close()
}

/** Connects a new person without a sync. */
async function addMember(world: World, who: { readonly email: string; readonly days: number }): Promise<Member> {
  const person = world.simulator.people.add(who)
  const userId = await world.addUser()
  await world.authorize(userId, person)
  return { userId, person }
}

/** Presses "Sync now". */
export async function press(world: World, { userId }: Member): Promise<void> {
  try {
    await requestSync(world.context, { userId, provider: "whoop" })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

/** Edits many records at the vendor, which sends a webhook for each. */
export async function flood({ simulator }: World, { person }: Member): Promise<void> {
  const { workouts, sleeps } = simulator.records(person)
  for (const { id } of workouts.slice(-10))
    simulator.edit.workout.patch(person, id, { sport_name: crypto.randomUUID() })
  for (const { id } of sleeps.slice(-10)) simulator.edit.sleep.patch(person, id, {})
  await simulator.webhooks.flush()
}

interface Passing {
  readonly durationMs: number
  readonly everyMs: number
  readonly each: () => Promise<unknown>
  readonly afterwards?: () => Promise<unknown>
}

async function pass(world: World, { durationMs, everyMs, each, afterwards }: Passing): Promise<void> {
  const { clock, webhooks } = world.simulator
  const endMs = clock.nowMs() + durationMs
  while (clock.nowMs() < endMs) {
    await each()
    await world.runDue()
    await afterwards?.()
    clock.advance(everyMs)
    await webhooks.flush()
  }
}

async function hasWholeHistory(world: World, { userId, person }: Member): Promise<boolean> {
  const { rows } = await world.store.pool.query<{ history_complete: boolean; records: number }>(
    `select history_complete, (select count(*)::int from restwell.record r where r.user_id = c.user_id) as records
     from restwell.connection c where user_id = $1`,
    [userId],
  )
  const { sleeps, cycles, recoveries, workouts } = world.simulator.records(person)
  const all = sleeps.length + cycles.length + recoveries.length + workouts.length
  return rows[0]?.history_complete === true && rows[0].records >= all
}

/** How long scored nights that begin to exist are not stored. */
function watchNights({ simulator, store }: World, { userId, person }: Member) {
  const known = new Set(simulator.records(person).sleeps.map(({ id }) => id))
  const scoredMs = new Map<string, number>()
  const arrived = new Map<string, number>()
  return {
    arrived,
    waits: () => [...scoredMs].map(([id, atMs]) => (arrived.get(id) ?? simulator.clock.nowMs()) - atMs),
    async look(): Promise<void> {
      const nowMs = simulator.clock.nowMs()
      const scored = simulator
        .records(person)
        .sleeps.filter(({ id, nap, score_state }) => !nap && !known.has(id) && score_state === "SCORED")
      for (const { id } of scored) if (!scoredMs.has(id)) scoredMs.set(id, nowMs)
      const { rows } = await store.pool.query<{ id: string }>(
        `select provider_id as id from restwell.record
         where user_id = $1 and provider_id = any ($2) and score_state = 'scored'`,
        [userId, [...scoredMs.keys()]],
      )
      for (const { id } of rows) if (!arrived.has(id)) arrived.set(id, nowMs)
    },
  }
}
