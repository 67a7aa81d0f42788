// One collection of a vendor fails while the others answer: what is stored meanwhile, what the account says, and how it ends.
import { deleteAccount } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import type { Fault, Person } from "@restwell/simulator"
import { keysOf } from "@restwell/testing/vendor"
import { expectTruth, storedRows, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { holdsTruth, IS_POLLED_WITHIN_MINUTES, isPolled } from "./fault-matrix.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Collection {
  /** Of its lists and its documents. */
  readonly path: RegExp
  /** Kinds whose records it lists. Of other kinds it has parts at most. */
  readonly lists: readonly string[]
  /** Another collection that is read at the same address, and fails with it. */
  readonly besides?: string
}

const oura = (name: string, lists: readonly string[] = []): Collection => ({
  path: new RegExp(`/v2/usercollection/${name}(?:/|$)`),
  lists,
})

const google = (name: string, lists: readonly string[] = []): Collection => ({
  path: new RegExp(`/dataTypes/${name}/dataPoints`),
  lists,
})

export const COLLECTIONS: Readonly<Record<VendorName, Readonly<Record<string, Collection>>>> = {
  whoop: {
    sleep: { path: /\/activity\/sleep/, lists: ["sleep"] },
    recovery: { path: /\/recovery$/, lists: ["recovery"] },
    workout: { path: /\/activity\/workout/, lists: ["workout"] },
    cycle: { path: /\/v2\/cycle(?:\/[^/]+)?$/, lists: ["cycle"] },
  },
  oura: {
    sleep: oura("sleep", ["sleep", "recovery"]),
    daily_sleep: oura("daily_sleep"),
    daily_readiness: oura("daily_readiness", ["recovery"]),
    daily_spo2: oura("daily_spo2"),
    daily_activity: oura("daily_activity", ["cycle"]),
    workout: oura("workout", ["workout"]),
    enhanced_tag: oura("enhanced_tag"),
    heartrate: oura("heartrate"),
  },
  polar: {
    sleep: { path: /\/users\/sleep$/, lists: ["sleep"] },
    activities: { path: /\/users\/activities$/, lists: ["cycle"] },
    nightly_recharge: { path: /\/users\/nightly-recharge$/, lists: ["recovery"] },
    skin_temperature: { path: /\/users\/biosensing\/skintemperature$/, lists: [] },
    exercises: { path: /\/v3\/exercises/, lists: ["workout"] },
  },
  // All of it comes from one address, so nothing fails alone.
  ultrahuman: {},
  intervals: {
    wellness: { path: /\/wellness(?:\/|$)/, lists: ["recovery", "cycle"], besides: "weight" },
    activities: { path: /\/activit(?:ies$|y\/)/, lists: ["workout"] },
  },
  withings: {
    sleep: { path: /\/v2\/sleep\/getsummary$/, lists: ["sleep", "recovery"] },
    sleep_details: { path: /\/v2\/sleep\/get$/, lists: [] },
    // A night without HRV has a recovery by its SpO2.
    spo2: { path: /\/measure\/getmeas$/, lists: ["recovery"], besides: "measures" },
    workouts: { path: /\/getworkouts$/, lists: ["workout"] },
    activity: { path: /\/getactivity$/, lists: ["cycle"] },
  },
  google_health: {
    sleep: google("sleep", ["sleep"]),
    steps: google("steps"),
    weight: google("weight"),
    "body-fat": google("body-fat"),
    settings: { path: /\/settings$/, lists: ["cycle"] },
  },
}

interface CollectionFault {
  readonly fault: Omit<Fault, "match">
  /** What the account says. */
  readonly reason: RegExp
}

export const COLLECTION_FAULTS: Readonly<Record<string, CollectionFault>> = {
  "403": { fault: { kind: "status", status: 403 }, reason: /does not allow/ },
  "426": { fault: { kind: "status", status: 426 }, reason: /withholds .+ until its app is updated/ },
  "500": { fault: { kind: "status", status: 500 }, reason: /does not deliver .+ for now/ },
  hang: { fault: { kind: "hang" }, reason: /does not deliver .+ for now/ },
  "broken JSON": { fault: { kind: "malformed_json" }, reason: /does not deliver .+ for now/ },
  "another shape": {
    fault: { kind: "transform", transform: () => ({ items: [] }) },
    reason: /in a form that is not known/,
  },
}

export interface CollectionCell {
  readonly provider: VendorName
  readonly collection: string
  readonly faultName: string
}

interface Subject {
  readonly userId: string
  readonly person: Person
}

const partOf = ({ provider, collection, faultName }: CollectionCell) => {
  const part = COLLECTIONS[provider][collection]
  const fault = COLLECTION_FAULTS[faultName]
  if (!part || !fault) throw new Error(`${provider} has no ${collection} x ${faultName}`)
  return { part, ...fault }
}

async function addSubject(world: World, cell: CollectionCell, state: string): Promise<Subject> {
  const email = `${state}.${cell.collection}.${cell.faultName}@example.com`.replace(/[^a-z0-9@.]/gi, "-")
  return { person: world.simulator.people.add({ email }), userId: await world.addUser() }
}

/** Lets time pass, with its webhooks, and runs what becomes due. */
async function pass(world: World, durationMs: number): Promise<void> {
  world.simulator.clock.advance(durationMs)
  await world.vendor.simulator.webhooks.flush()
  await world.runDue()
}

const plant = (world: World, cell: CollectionCell, { person }: Subject) => {
  const { part, fault } = partOf(cell)
  return world.vendor.simulator.faults.add({ ...fault, match: { path: part.path, personId: person.userId } })
}

/** The first sync of a connection meets the fault. */
export async function runNewConnection(world: World, cell: CollectionCell): Promise<void> {
  const subject = await addSubject(world, cell, "new")
  const repair = plant(world, cell, subject)
  await world.connect(subject.userId, subject.person)
  await world.runDue()
  await expectOthersStored(world, cell, subject)
  await expectNamed(world, cell, subject)
  repair()
  await expectClosed(world, subject)
  await deleteAccount(world.context, subject.userId)
}

/** A connection that has worked for a day meets the fault for a day. */
export async function runEstablishedConnection(world: World, cell: CollectionCell): Promise<void> {
  const subject = await addSubject(world, cell, "established")
  await world.connect(subject.userId, subject.person)
  await pass(world, 25 * HOUR_MS)
  await pass(world, 3 * MINUTE_MS)
  const before = await storedRows(world, subject.userId)
  const repair = plant(world, cell, subject)
  for (let hours = 0; hours < 26; hours += 2) await pass(world, 2 * HOUR_MS)
  await pass(world, 5 * MINUTE_MS)
  await expectOthersStored(world, cell, subject)
  await expectNothingLost(world, subject, before)
  await expectNamed(world, cell, subject)
  repair()
  await expectClosed(world, subject)
  await deleteAccount(world.context, subject.userId)
}

/** Of a new connection neither the nights nor the days answer: the rest is stored, history included, and the account says what fails. */
export async function runNeitherNightsNorDays(world: World, provider: VendorName): Promise<void> {
  const names = essentialOf(world, provider)
  const cells = names.map((collection) => ({ provider, collection, faultName: "500" }))
  const [cell] = cells
  if (!cell) throw new Error(`${provider} has no essential collection`)
  const subject = await addSubject(world, cell, "essential")
  const repairs = cells.map((each) => plant(world, each, subject))
  await world.connect(subject.userId, subject.person)
  await world.runDue()
  await pass(world, 3 * HOUR_MS)
  const failing = cells.flatMap((each) => partOf(each).part.lists)
  await expectStored(world, subject, (kind) => !failing.includes(kind))
  const failed = { status: "vendor_unavailable", status_reason: expect.stringMatching(/does not deliver .+ for now/) }
  expect(await connectionOf(world, subject)).toMatchObject(failed)
  const gaps: { collection: string }[] = (await connectionOf(world, subject)).gaps
  expect(gaps.map(({ collection }) => collection)).toEqual(expect.arrayContaining(names))
  for (const repair of repairs) repair()
  await expectClosed(world, subject)
}

/** The nights and the days, by the vendor's names. */
const essentialOf = ({ context }: World, provider: VendorName): string[] =>
  (context.adapters.get(provider)?.collections.all ?? []).flatMap(({ name, isEssential }) =>
    isEssential ? [name] : [],
  )

/** A day after a collection began to fail, the account names it, whatever the hour and whatever the other collections do. */
export async function runDayOfEachCollection(world: World, provider: VendorName): Promise<void> {
  const cells = Object.keys(COLLECTIONS[provider]).map((collection) => ({ provider, collection, faultName: "426" }))
  const subjects: [CollectionCell, Subject][] = []
  for (const cell of cells) subjects.push([cell, await addSubject(world, cell, "daily")])
  for (const [, { userId, person }] of subjects) await world.connect(userId, person)
  await pass(world, 25 * HOUR_MS)
  await pass(world, 3 * MINUTE_MS)
  for (const [cell, subject] of subjects) plant(world, cell, subject)
  for (let hours = 0; hours < 26; hours += 13) await pass(world, 13 * HOUR_MS)
  await pass(world, 5 * MINUTE_MS)
  for (const [cell, subject] of subjects) await expectNamed(world, cell, subject)
}

/** Records of other kinds are all stored, and so are those of which the collection has parts only. */
async function expectOthersStored(world: World, cell: CollectionCell, subject: Subject): Promise<void> {
  const { lists } = partOf(cell).part
  const unannounced = unannouncedCycle(world, cell, subject.person)
  await expectStored(world, subject, (kind, key) => !lists.includes(kind) && key !== unannounced)
}

/** All that the vendor has of these kinds is stored, and nothing else of them. */
async function expectStored(
  world: World,
  { userId, person }: Subject,
  isExpected: (kind: string, key: string) => boolean,
): Promise<void> {
  const isOther = (key: string) => isExpected(key.split("/")[0] ?? "", key)
  const stored = (await storedRows(world, userId)).map(({ kind, provider_id }) => `${kind}/${provider_id}`)
  expect(stored.filter(isOther).toSorted()).toEqual(keysOf(world.vendor, person).filter(isOther).toSorted())
}

/** WHOOP's newest cycle, if no night begins it: the strap charged. No event announces it, and it is read in the evening. */
function unannouncedCycle({ simulator }: World, { provider }: CollectionCell, person: Person): string | undefined {
  if (provider !== "whoop") return undefined
  const { cycles, sleeps } = simulator.records(person)
  const newest = cycles.reduce((one, other) => (other.start > one.start ? other : one))
  return sleeps.some(({ cycle_id }) => cycle_id === newest.id) ? undefined : `cycle/${newest.id}`
}

/** No stored record is gone that the vendor has, and none lost a part. */
async function expectNothingLost(
  world: World,
  { userId, person }: Subject,
  before: Awaited<ReturnType<typeof storedRows>>,
): Promise<void> {
  const after = new Map(
    (await storedRows(world, userId)).map((row) => [`${row.kind}/${row.provider_id}`, partsOf(row)]),
  )
  const existing = new Set(keysOf(world.vendor, person))
  for (const row of before.filter(({ kind, provider_id }) => existing.has(`${kind}/${provider_id}`))) {
    const parts = after.get(`${row.kind}/${row.provider_id}`)
    expect(parts, `${row.kind} ${row.provider_id}`).toBeDefined()
    expect(parts).toEqual(expect.arrayContaining(partsOf(row)))
  }
}

function partsOf(row: object): string[] {
  const parts: unknown = Reflect.get(Object(Reflect.get(row, "detail")), "partIds")
  return Array.isArray(parts) ? parts.map(String) : []
}

async function connectionOf({ store }: World, { userId }: Subject) {
  const { rows } = await store.pool.query(
    "select status, status_reason, gaps, last_synced_at from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]
}

async function expectNamed(world: World, cell: CollectionCell, subject: Subject): Promise<void> {
  const { reason, part } = partOf(cell)
  const names = [cell.collection, ...(part.besides === undefined ? [] : [part.besides])]
  const isOnlyEssential = essentialOf(world, cell.provider).every((name) => name === cell.collection)
  expect(await connectionOf(world, subject)).toMatchObject({
    status: isOnlyEssential ? "vendor_unavailable" : "ok",
    gaps: names.toSorted().map((collection) => ({
      collection,
      reason: expect.stringMatching(reason),
      nextStep: expect.stringMatching(/./),
    })),
  })
}

/** Longer than the longest pause of a refusal. */
const CLOSES_WITHIN_MINUTES = 130

/** The gap ends without a person, and what is stored then is the vendor's. */
async function expectClosed(world: World, subject: Subject): Promise<void> {
  for (let minutes = 0; minutes < CLOSES_WITHIN_MINUTES; minutes += 10) {
    if ((await connectionOf(world, subject)).gaps.length === 0) break
    await pass(world, 10 * MINUTE_MS)
  }
  expect(await connectionOf(world, subject)).toMatchObject({ status: "ok", gaps: [] })
  // Events that waited for the collection.
  await pass(world, 5 * MINUTE_MS)
  if (isPolled(world.vendor.provider)) await untilPolled(world, subject)
  await expectTruth(world, subject)
}

/** What changed since the gap ended comes with the next look, because such a vendor sends no events. */
async function untilPolled(world: World, subject: Subject): Promise<void> {
  for (let minutes = 0; minutes < IS_POLLED_WITHIN_MINUTES; minutes += 5) {
    if (await holdsTruth(world, subject)) return
    await pass(world, 5 * MINUTE_MS)
  }
}
