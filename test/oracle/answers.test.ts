import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Chart } from "./chart.ts"
import type { OracleQuery } from "./days.ts"
import { type Draw, EDIT_NAMES, edit } from "./edits.ts"
import { answerFrom } from "./expected-answer.ts"
import { addMembers, COARSE, connected, type Member, storedRows } from "./members.ts"
import { Answers, anyQuery, TYPES } from "./queries.ts"
import { addCases, type Cases, passingCasesIn, specialCasesIn } from "./special-cases.ts"

/** The clocks go back in Berlin 4 days later and in New York 11 days later, while the tests below run. */
const START = new Date("2026-10-21T10:00:00Z")
const MINUTE_MS = 60_000
const ROUNDS = 14
/** How many members are followed while time passes. */
const MOVERS = 2

/** The vendor's records when a member was last synced, and that time. */
interface Truth {
  readonly chart: Chart
  readonly syncedAt: Date
}

let world: World
let answers: Answers
let members: Member[]
const truths = new Map<Member, Truth>()

beforeAll(async () => {
  world = await createWorld({ now: START, seed: "oracle", days: 420 })
  answers = new Answers(world)
  members = await addMembers(world)
  for (const member of members) noteTruth(member)
}, 120_000)
afterAll(() => world.close())

function noteTruth(member: Member): void {
  truths.set(member, { chart: new Chart(world.simulator.records(member.person)), syncedAt: world.context.clock.now() })
}

async function sync(member: Member): Promise<void> {
  await world.sync(member.userId)
  noteTruth(member)
}

function memberOf(email: string): Member {
  const member = members.find(({ person }) => person.email === email)
  if (!member) throw new Error(`there is no member ${email}`)
  return member
}

function truthOf(member: Member): Truth {
  const truth = truths.get(member)
  if (!truth) throw new Error("a member who was never synced")
  return truth
}

async function compare(member: Member, query: OracleQuery): Promise<void> {
  const { chart, syncedAt } = truthOf(member)
  expect(await answers.body(member, query, syncedAt)).toEqual(answerFrom(chart, world.context.clock.now(), query))
}

/** Random queries of random members. fast-check prints the seed of a wrong answer. */
async function compareAtRandom(
  numRuns: number,
  whose: readonly Member[],
  { seed, furthestDaysAgo }: { seed?: number; furthestDaysAgo?: number } = {},
): Promise<void> {
  const emails = whose.map(({ person }) => person.email)
  const question = fc.record({
    email: fc.constantFrom(...emails),
    query: anyQuery(world.context.clock.now(), furthestDaysAgo),
  })
  await fc.assert(
    fc.asyncProperty(question, ({ email, query }) => compare(memberOf(email), query)),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
}

async function allBytes(member: Member): Promise<(string | null)[]> {
  return Promise.all(TYPES.map((type) => answers.bytes(member, { type, days: 90 })))
}

/**
 * Connects another account while the vendor reverses pages, repeats records, and fails one request in five. Time passes while a collection
 * that failed has a pause.
 */
async function connectedUnderFaults(person: Person): Promise<Member> {
  const { faults } = world.simulator
  const match = { path: /\/v2\/(cycle|recovery|activity)/, personId: person.userId }
  faults.add({ match, kind: "status", status: 503, probability: 0.2 })
  faults.add({ match, kind: "transform", transform: reversePage })
  const member = await connected(world, person)
  for (let tries = 0; tries < 50 && !(await isComplete(member)); tries += 1) await world.sync(member.userId)
  faults.clear()
  expect(await isComplete(member)).toBe(true)
  for (let pauses = 0; pauses < 10 && (await hasGaps(member)); pauses += 1) {
    world.simulator.clock.advance(30 * MINUTE_MS)
    await world.sync(member.userId)
  }
  expect(await hasGaps(member)).toBe(false)
  return member
}

function reversePage(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null || !("records" in reply) || !Array.isArray(reply.records))
    return reply
  return { ...reply, records: [...reply.records.slice(0, 2), ...reply.records.toReversed()] }
}

async function isComplete({ userId }: Member): Promise<boolean> {
  const { rows } = await world.store.pool.query(
    "select history_complete and status = 'ok' as complete from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]?.complete === true
}

async function hasGaps({ userId }: Member): Promise<boolean> {
  const { rows } = await world.store.pool.query(
    "select gaps <> '[]' as lacks from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]?.lacks === true
}

function expectAll(cases: Cases): void {
  for (const [name, found] of Object.entries(cases)) expect(found, name).toBeGreaterThan(0)
}

let editCount = 0

/** Queries the synced records with the new "today", then edits, syncs and queries again. */
async function runRound(cases: Cases, draw: Draw): Promise<void> {
  const movers = members.slice(0, MOVERS)
  await compareAtRandom(10, movers, { seed: draw(2 ** 31), furthestDaysAgo: 30 })
  for (const member of movers) {
    for (let edits = draw(4); edits >= 0; edits -= 1) editOnce(cases, member, draw)
    await sync(member)
    addCases(cases, passingCasesIn(truthOf(member).chart.raw))
    for (const type of TYPES) await compare(member, { type, days: 60 })
  }
  await compareAtRandom(30, movers, { seed: draw(2 ** 31), furthestDaysAgo: 30 })
}

/** Makes the edits in a fixed order, so that each of them happens. */
function editOnce(cases: Cases, member: Member, draw: Draw): void {
  const name = EDIT_NAMES[editCount++ % EDIT_NAMES.length]
  if (name === undefined) throw new Error("there are no edits")
  world.simulator.clock.advance(1 + draw(1000))
  if (edit(world.simulator, member, name, draw)) addCases(cases, { [name]: 1 })
}

describe("every answer equals one that is computed independently from the vendor's raw records", () => {
  test("for random queries over whole histories, which contain every special case", async () => {
    const cases: Cases = {}
    for (const member of members) addCases(cases, specialCasesIn(truthOf(member).chart.raw))
    expectAll(cases)
    await compareAtRandom(400, members)
    expect(answers.repeated).toBeGreaterThan(0)
  })

  test("with exact rounding, where values lie in the middle between two rounded ones", async () => {
    await compareAtRandom(100, [memberOf(COARSE)], { furthestDaysAgo: 200 })
  })

  test.each(["recovery", "workout"] as const)(
    "with the dates of a %s that the vendor refuses as missing",
    async (kind) => {
      const { person } = memberOf(COARSE)
      const [path, name] = kind === "recovery" ? [/\/recovery$/, "recovery"] : [/\/activity\/workout/, "workouts"]
      const repair = world.simulator.faults.add({
        match: { path, personId: person.userId },
        kind: "status",
        status: 426,
      })
      const member = await connected(world, person)
      repair()
      const now = world.context.clock.now()
      const raw = world.simulator.records(person)
      const chart = new Chart(kind === "recovery" ? { ...raw, recoveries: [] } : { ...raw, workouts: [] })
      const refused = { kind, reason: `WHOOP withholds ${name} until its app is updated` }
      const compared = fc.asyncProperty(anyQuery(now, 200), async (query) => {
        expect(await answers.body(member, query, now)).toEqual(answerFrom(chart, now, query, refused))
      })
      await fc.assert(compared, { numRuns: 50 })
    },
  )

  test("while time passes, nights are scored, cycles close, and records are edited and deleted", async () => {
    const cases: Cases = Object.fromEntries(EDIT_NAMES.map((name) => [name, 0]))
    const round = fc.record({
      minutes: fc.integer({ min: 1, max: 36 * 60 }),
      numbers: fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 })),
    })
    const story = fc.asyncProperty(fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }), async (rounds) => {
      for (const { minutes, numbers } of rounds) {
        world.simulator.clock.advance(minutes * MINUTE_MS)
        await runRound(cases, (bound) => (numbers.next().value ?? 0) % bound)
      }
    })
    // Time cannot be moved back: one run, without shrinking.
    await fc.assert(story, { numRuns: 1, endOnFailure: true })
    expectAll(cases)
  }, 240_000)

  test("byte by byte after a second sync, which changes nothing", async () => {
    for (const member of members.slice(0, MOVERS)) {
      await sync(member)
      const before = { rows: await storedRows(world, member), answers: await allBytes(member) }
      await sync(member)
      expect({ rows: await storedRows(world, member), answers: await allBytes(member) }).toEqual(before)
    }
  })

  test("whether records came day by day or at once, in any order, through failures", async () => {
    for (const member of members.slice(0, MOVERS)) {
      // Time may have passed for the one before.
      await sync(member)
      const rows = await storedRows(world, member)
      const latecomer = await connected(world, member.person)
      expect(await storedRows(world, latecomer)).toBe(rows)
      expect(await allBytes(latecomer)).toEqual(await allBytes(member))
      const underFaults = await connectedUnderFaults(member.person)
      await sync(member)
      expect(await storedRows(world, underFaults)).toBe(await storedRows(world, member))
    }
  }, 120_000)
})
