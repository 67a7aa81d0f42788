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

export interface Member {
  readonly userId: string
  readonly person: Person
}

export interface PressOptions {
  readonly hasWebhooks: boolean
  /** How long one person has pressed before the other connects. */
  readonly pressedHours: number
  /** Time between two presses. */
  readonly everyMs: number
  /** The longest time from the score of a night to its arrival. */
  readonly longestMinutes: number
}

/** One person presses "Sync now" again and again, and another connects. Both get what is new, and nobody exceeds the limits. */
export async function expectBothServed({ hasWebhooks, pressedHours, everyMs, longestMinutes }: PressOptions) {
  const now = new Date("2026-11-20T07:00:00Z")
  const world = await createWorld({ days: HISTORY_DAYS, calls: CALLS, hasWebhooks, now })
  const { clock, requestLog } = world.simulator
  const presser = await addMember(world, "ada@example.com")
  await world.runDue()
  await passPressing(world, presser, { durationMs: pressedHours * HOUR_MS, everyMs })
  const newcomer = await addMember(world, "ben@example.com")
  const connectedMs = clock.nowMs()
  await press(world, presser)
  await world.runDue()
  expect(await hasWholeHistory(world, newcomer)).toBe(true)
  expect(clock.nowMs() - connectedMs).toBeLessThan(MINUTE_MS)
  const [own, other] = [watchNights(world, presser), watchNights(world, newcomer)]
  await passPressing(world, presser, {
    durationMs: NEXT_NIGHT_HOURS * HOUR_MS,
    everyMs,
    each: () => Promise.all([own.look(), other.look()]),
  })
  for (const nights of [own, other]) {
    expect(nights.arrived.size).toBeGreaterThan(0)
    expect(Math.max(0, ...nights.waits())).toBeLessThanOrEqual(longestMinutes * MINUTE_MS)
  }
  expect(requestLog.count({ status: 429 })).toBe(0)
  await world.close()
}

/** Connects a new person without a sync. */
export async function addMember(world: World, email: string): Promise<Member> {
  const person = world.simulator.people.add({ email })
  const userId = await world.addUser()
  await world.authorize(userId, person)
  return { userId, person }
}

export async function press(world: World, { userId }: Member): Promise<void> {
  try {
    await requestSync(world.context, { userId, provider: "whoop" })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

interface Passing {
  readonly durationMs: number
  readonly everyMs: number
  readonly each?: () => Promise<unknown>
}

async function passPressing(world: World, presser: Member, { durationMs, everyMs, each }: Passing): Promise<void> {
  const { clock, webhooks } = world.simulator
  const endMs = clock.nowMs() + durationMs
  while (clock.nowMs() < endMs) {
    await press(world, presser)
    await world.runDue()
    await each?.()
    clock.advance(everyMs)
    await webhooks.flush()
  }
}

export async function hasWholeHistory(world: World, { userId, person }: Member): Promise<boolean> {
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
