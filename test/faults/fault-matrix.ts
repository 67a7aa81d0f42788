import { isDeepStrictEqual } from "node:util"
import { requestSync } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import type { Person } from "@restwell/simulator"
import { announcesEdits } from "@restwell/testing/vendor"
import type { World } from "@restwell/testing/world"
import { expectTruth, storedRows, truthOf, withoutOpenCycle } from "@restwell/testing/world"
import { expect } from "vitest"
import { isRefreshed, type VendorFault } from "./vendor-faults.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export interface Subject {
  readonly userId: string
  readonly person: Person
}

/** A kind of job: how it becomes due, and which vendor requests fail while it runs. */
export interface JobKind {
  readonly failing: "data" | "token"
  /** True when only the nightly reconciliation finds what was missed before. */
  readonly needsTheNight?: boolean
  /** Creates a change at the vendor that only this job finds. */
  prepare(world: World, subject: Subject): Promise<void>
}

/** Moves the clock in one step, with or without webhooks for what happens. */
async function pass(world: World, durationMs: number, hasWebhooks: boolean): Promise<void> {
  const { webhooks, clock } = world.vendor.simulator
  webhooks.manners.muted = !hasWebhooks
  clock.advance(durationMs)
  await webhooks.flush()
  webhooks.manners.muted = false
}

/** Connects and syncs a person, and processes the events of the next day. */
async function connectForADay(world: World, { userId, person }: Subject): Promise<void> {
  await world.connect(userId, person)
  await pass(world, 25 * HOUR_MS, true)
  await world.runDue()
}

export const JOB_KINDS: Readonly<Record<string, JobKind>> = {
  "first sync": {
    failing: "data",
    async prepare(world, { userId, person }) {
      await world.authorize(userId, person)
    },
  },
  history: {
    failing: "data",
    async prepare(world, { userId, person }) {
      await world.authorize(userId, person)
      await world.runJob(userId, { withHistory: false })
    },
  },
  events: {
    failing: "data",
    async prepare(world, subject) {
      await connectForADay(world, subject)
      // Late changes: each record is fetched by its id, and two of them are deleted.
      const { vendor } = world
      const { person } = subject
      const [renamed, deleted] = vendor.idsOf(person, "workout").slice(-4)
      const nap = vendor.idsOf(person, "sleep").at(-3)
      if (renamed !== undefined) vendor.renameWorkout(person, renamed, "fencing")
      if (deleted !== undefined) vendor.delete(person, "workout", deleted)
      if (nap !== undefined) vendor.delete(person, "sleep", nap)
      await vendor.simulator.webhooks.flush()
    },
  },
  "night's events": {
    failing: "data",
    async prepare(world, subject) {
      await connectForADay(world, subject)
      await pass(world, 24 * HOUR_MS, true)
    },
  },
  refresh: {
    failing: "data",
    async prepare(world, { userId, person }) {
      await world.connect(userId, person)
      await pass(world, 26 * HOUR_MS, false)
    },
  },
  "open cycle": {
    failing: "data",
    needsTheNight: true,
    async prepare(world, subject) {
      await connectForADay(world, subject)
      await pass(world, 15 * HOUR_MS, false)
    },
  },
  "nightly reconciliation": {
    failing: "data",
    async prepare(world, subject) {
      await connectForADay(world, subject)
      await pass(world, 31 * HOUR_MS, false)
    },
  },
  "requested sync": {
    failing: "data",
    async prepare(world, subject) {
      await connectForADay(world, subject)
      const { vendor } = world
      vendor.simulator.webhooks.manners.muted = true
      const old = vendor.idsOf(subject.person, "workout").at(-2)
      if (old !== undefined) vendor.delete(subject.person, "workout", old)
      vendor.simulator.webhooks.manners.muted = false
      await requestSync(world.context, { userId: subject.userId, provider: vendor.provider })
    },
  },
  "token refresh": {
    failing: "token",
    async prepare(world, subject) {
      await connectForADay(world, subject)
      await pass(world, 24 * HOUR_MS, true)
    },
  },
}

/** True for a vendor that is tested without events. It has no record that only an evening's look finds. */
export const isPolled = (provider: VendorName): boolean => !announcesEdits(provider)
const ANNOUNCED = ["events", "night's events", "open cycle"]

/** The jobs of a vendor's connections. */
export const jobKindsOf = (provider: VendorName): (readonly [job: string, kind: JobKind])[] =>
  Object.entries(JOB_KINDS).filter(
    ([job, { failing }]) =>
      !(isPolled(provider) && ANNOUNCED.includes(job)) && (isRefreshed(provider) || failing !== "token"),
  )

export interface CellOutcome {
  /** The connection's status while the fault lasted. */
  readonly statusMeanwhile: string
  /** Calls to the vendor while the fault lasted. */
  readonly callsMeanwhile: number
  /** Minutes from the end of the fault until the stored records were the vendor's. */
  readonly minutesToTruth: number
  /** True when the vendor's new tokens were lost, so that the person had to connect again. */
  readonly isGrantLost: boolean
}

/** Longer than any pause between two attempts. */
const HEALS_WITHIN_MINUTES = 45
/** A vendor that sends no events is looked at every hour. */
export const IS_POLLED_WITHIN_MINUTES = 65
/** Wrong data in a valid reply is found by the nightly reconciliation, or a day later. */
const LIE_IS_FOUND_WITHIN_MINUTES = 32 * 60

/**
 * Runs a job during a fault of three minutes. Then only time passes, until the stored records equal those of a new connection in every
 * column, except for the open cycle.
 */
export async function runCell(
  world: World,
  kind: JobKind,
  { fault, isAfterEffect, isLie }: VendorFault,
  subject: Subject,
): Promise<CellOutcome> {
  const { simulator, paths } = world.vendor
  await kind.prepare(world, subject)
  const isForTokens = kind === JOB_KINDS["token refresh"]
  const repair = simulator.faults.add({
    ...fault,
    match: { path: paths[kind.failing], ...(!isForTokens && { personId: subject.person.userId }) },
  })
  const before = simulator.requestLog.entries.length
  for (let minute = 0; minute < 3; minute += 1) {
    await world.runDue()
    await pass(world, MINUTE_MS, true)
  }
  const statusMeanwhile = await statusOf(world, subject.userId)
  const callsMeanwhile = simulator.requestLog.entries.length - before
  repair()
  const isGrantLost = isForTokens && isAfterEffect && statusMeanwhile !== "ok" && !world.vendor.keepsRefreshToken
  if (isGrantLost) {
    await untilStatus(world, subject.userId, "reauthorization_required")
    await world.connect(subject.userId, subject.person)
  }
  const minutesToTruth = await untilSynced(world, subject, isLie || kind.needsTheNight === true)
  return { statusMeanwhile, callsMeanwhile, minutesToTruth, isGrantLost }
}

/** Passes time until the service is idle, and compares the stored records with the vendor's. Returns the minutes it took. */
async function untilSynced(world: World, { userId, person }: Subject, isFoundLate: boolean): Promise<number> {
  const isLookedAt = isPolled(world.vendor.provider)
  const healsWithin = isLookedAt ? HEALS_WITHIN_MINUTES + IS_POLLED_WITHIN_MINUTES : HEALS_WITHIN_MINUTES
  const longest = isFoundLate ? LIE_IS_FOUND_WITHIN_MINUTES : healsWithin
  const step = isFoundLate ? 30 : 1
  for (let minutes = 0; minutes <= longest; minutes += step) {
    await world.runDue()
    // A job that waited has moved the clock, so there may be new webhooks.
    await world.vendor.simulator.webhooks.flush()
    const isQuiet =
      !world.vendor.hasUnannounced(person) &&
      (await statusOf(world, userId)) === "ok" &&
      !(await hasWork(world, userId))
    const isLast = minutes + step > longest
    const isDone = async () =>
      (await isUpToDate(world, userId, person)) && (await holdsTruth(world, { userId, person }))
    if (isQuiet && (!(isFoundLate || isLookedAt) || isLast || (await isDone()))) {
      await expectTruth(world, { userId, person })
      return minutes
    }
    await pass(world, step * MINUTE_MS, true)
  }
  throw new Error(`not synced ${longest} minutes after the fault: ${await statusOf(world, userId)}`)
}

/**
 * True if what is stored is what a new connection gets. Not every change has a version of its own: Polar adds a temperature and does not say
 * when, and a lie about one field is of the same version.
 */
export async function holdsTruth(world: World, { userId, person }: Subject): Promise<boolean> {
  const [stored, vendors] = [await storedRows(world, userId), await truthOf(world, person)]
  return isDeepStrictEqual(withoutOpenCycle(stored), withoutOpenCycle(vendors))
}

/** True if the same records are stored in the same versions, and all samples. */
async function isUpToDate({ store, vendor }: World, userId: string, person: Person): Promise<boolean> {
  const versions = vendor.versionsOf(person).map(normalised)
  const stored = withoutOpenCycle(await storedRows({ store }, userId)).map(
    ({ kind, provider_id, vendor_updated_at }) => `${kind}/${provider_id}/${vendor_updated_at.toISOString()}`,
  )
  const [truth, own] = [new Set(versions), new Set(stored)]
  // A cycle that has just ended by the clock is not stored as ended yet.
  const missing = [...truth.difference(own)].filter(
    (version) => !vendor.cyclesEndByClock || !version.startsWith("cycle/"),
  )
  return missing.length === 0 && own.isSubsetOf(truth) && (await hasAllSamples({ store, vendor }, userId, person))
}

/** True if as many samples are stored as the vendor has, up to the day of the last look at them. */
async function hasAllSamples(
  { store, vendor }: Pick<World, "store" | "vendor">,
  userId: string,
  person: Person,
): Promise<boolean> {
  const { rows } = await store.pool.query<{ until: Date; count: number }>(
    `select c.until, coalesce((select sum(s.count) from restwell.series_day s
       where s.user_id = $1 and s.record_id = '' and s.day < c.until), 0)::int as count
     from (select date_trunc('day', coalesce(samples_until, 'epoch'), 'UTC') as until
           from restwell.connection where user_id = $1) c`,
    [userId],
  )
  const [stored] = rows
  return stored !== undefined && stored.count === vendor.samplesBefore(person, stored.until.getTime())
}

const normalised = (version: string): string => {
  const at = version.lastIndexOf("/") + 1
  return version.slice(0, at) + new Date(version.slice(at)).toISOString()
}

async function untilStatus(world: World, userId: string, status: string): Promise<void> {
  for (let minute = 0; minute <= HEALS_WITHIN_MINUTES && (await statusOf(world, userId)) !== status; minute += 1) {
    world.simulator.clock.advance(MINUTE_MS)
    await world.runDue()
  }
  expect(await statusOf(world, userId)).toBe(status)
}

async function statusOf({ store }: World, userId: string): Promise<string> {
  const { rows } = await store.pool.query("select status from restwell.connection where user_id = $1", [userId])
  return rows[0].status
}

/** True while the service has work left. */
async function hasWork({ store, context }: World, userId: string): Promise<boolean> {
  const { rows } = await store.pool.query(
    `select failures > 0 or next_sync_at <= $2 or waiting_until > $2 or gaps <> '[]' or exists (select from restwell.vendor_event e where e.user_id = c.user_id)
       or exists (select from restwell.rejected_record e where e.user_id = c.user_id) as has_work
     from restwell.connection c where user_id = $1`,
    [userId, context.clock.now()],
  )
  return rows[0].has_work
}
