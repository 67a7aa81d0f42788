import type { Person, WireRecords } from "@restwell/simulator"
import { enduranceAthlete, officeWorker } from "@restwell/simulator"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createWorld, type World } from "../support/world.ts"
import { dateOfSleep, expectedAnswer, type OracleQuery } from "./expected-answer.ts"

const DAY_MS = 86_400_000
const HISTORY_DAYS = 420

interface Member {
  person: Person
  userId: string
}

let world: World
let members: Member[]

beforeAll(async () => {
  // A year that ends a few days after New York's clocks went back, so that both kinds of DST days are near.
  world = await createWorld({ now: new Date("2026-11-05T10:00:00Z"), days: HISTORY_DAYS, seed: "oracle" })
  const { people } = world.simulator
  const persons = [
    people.add({ email: "athlete@example.com", traits: enduranceAthlete }),
    people.add({ email: "office@example.com", traits: officeWorker }),
    ...people.addMany(5),
    people.add({ email: "new@example.com", days: 3 }),
    people.add({ email: "empty@example.com", history: "none" }),
  ]
  members = []
  for (const person of persons) {
    const userId = await world.addUser()
    await world.connect(userId, person)
    members.push({ person, userId })
  }
}, 120_000)
afterAll(() => world.close())

const dates = (now: Date) =>
  fc
    .integer({ min: -HISTORY_DAYS - 40, max: 20 })
    .map((days) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10))

const queries = (now: Date): fc.Arbitrary<OracleQuery> =>
  fc.record(
    {
      type: fc.constantFrom("summary", "sleep", "recovery", "workout", "cycle", "profile"),
      days: fc.integer({ min: 1, max: 90 }),
      start_date: dates(now),
      end_date: dates(now),
    },
    { requiredKeys: ["type"] },
  )

/** The service's answer as JSON says it, or "invalid" where the range is refused. */
async function answerTo({ userId }: Member, query: OracleQuery): Promise<unknown> {
  const reading = await world.reader.read({ credential: { userId }, query, ifNoneMatch: [], charge: true })
  if (reading.outcome === "refused") return "invalid"
  if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
  const { source, ...body } = JSON.parse(JSON.stringify(reading.body))
  expect(source).toEqual({ provider: "whoop", status: "ok", last_synced_at: expect.any(String) })
  return body
}

async function expectAgreement(numRuns: number, whose: readonly Member[]): Promise<void> {
  const now = world.context.clock.now()
  const truths = new Map(whose.map((member) => [member, world.simulator.records(member.person)]))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whose), queries(now), async (member, query) => {
      const truth = truths.get(member)
      if (!truth) throw new Error("a member without records")
      expect(await answerTo(member, query)).toEqual(expectedAnswer(truth, now, query))
    }),
    { numRuns },
  )
}

/** How often each special case is in the generated records: a test that never met them would prove nothing. */
function specialCases(truths: readonly WireRecords[]): Record<string, number> {
  const sleeps = truths.flatMap((truth) => truth.sleeps)
  const nights = truths.flatMap((truth) =>
    truth.sleeps
      .filter(({ nap }) => !nap)
      .map(dateOfSleep)
      .sort(),
  )
  const daysBetween = nights
    .slice(1)
    .map((date, index) => (Date.parse(date) - Date.parse(nights[index] ?? date)) / DAY_MS)
  return {
    naps: sleeps.filter(({ nap }) => nap).length,
    unscorable: sleeps.filter(({ score_state }) => score_state === "UNSCORABLE").length,
    zones: new Set(sleeps.map(({ timezone_offset }) => timezone_offset)).size,
    gaps: daysBetween.filter((days) => days > 1).length,
    openCycles: truths.flatMap(({ cycles }) => cycles).filter(({ end }) => !end).length,
    cyclesWithoutSleep: truths
      .flatMap(({ cycles, sleeps: own }) =>
        cycles.map(({ id }) => own.some(({ cycle_id, nap }) => cycle_id === id && !nap)),
      )
      .filter((hasSleep) => !hasSleep).length,
    dstNights: sleeps.filter((sleep) =>
      ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01"].includes(dateOfSleep(sleep)),
    ).length,
  }
}

describe("every answer is what an independent reading of the vendor's raw records gives", () => {
  test("the records hold every special case", () => {
    const cases = specialCases(members.map(({ person }) => world.simulator.records(person)))
    for (const [name, count] of Object.entries(cases)) expect(count, name).toBeGreaterThan(0)
  })

  test("for random queries over a whole history", () => expectAgreement(600, members), 120_000)

  test("while time passes, nights are scored, and records are edited and deleted", async () => {
    const movers = members.slice(0, 4)
    const seen = { pending: 0, edited: 0, deleted: 0, rescored: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 * 60 }),
        fc.array(fc.record({ edit: fc.constantFrom(...EDITS), which: fc.nat(), member: fc.constantFrom(...movers) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (minutes, edits) => {
          world.simulator.clock.advance(minutes * 60_000)
          for (const { edit, which, member } of edits) applyEdit(edit, which, member, seen)
          for (const { userId, person } of movers) {
            await world.sync(userId)
            seen.pending += world.simulator
              .records(person)
              .sleeps.filter((sleep) => sleep.score_state === "PENDING_SCORE").length
          }
          await expectAgreement(25, movers)
        },
      ),
      { numRuns: 20 },
    )
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
  }, 240_000)
})

const EDITS = [
  "move sleep",
  "re-zone sleep",
  "delete sleep",
  "delete workout",
  "delete cycle",
  "rescore recovery",
  "unscore sleep",
] as const

/** Changes one of a person's records of the last days, as they or the vendor's support might. */
function applyEdit(
  edit: (typeof EDITS)[number],
  which: number,
  { person }: Member,
  seen: { edited: number; deleted: number; rescored: number },
): void {
  const { simulator } = world
  const since = simulator.clock.nowMs() - 8 * DAY_MS
  const recent = <Item extends { created_at: string }>(items: Item[]): Item | undefined => {
    const young = items.filter((item) => Date.parse("start" in item ? String(item.start) : item.created_at) > since)
    return young.length > 0 ? young[which % young.length] : undefined
  }
  const { sleeps, workouts, cycles, recoveries } = simulator.records(person)
  const [sleep, workout, cycle, recovery] = [recent(sleeps), recent(workouts), recent(cycles), recent(recoveries)]
  simulator.clock.advance(1000)
  if (edit === "move sleep" && sleep) {
    simulator.edit.sleep.patch(person, sleep.id, {
      end: new Date(Date.parse(sleep.end) + (which % 180) * 60_000).toISOString(),
    })
    seen.edited += 1
  } else if (edit === "re-zone sleep" && sleep) {
    const offsets = ["+14:00", "-11:00", "Z", "+05:45", "-03:30"]
    simulator.edit.sleep.patch(person, sleep.id, { timezone_offset: offsets[which % offsets.length] })
    seen.edited += 1
  } else if (edit === "unscore sleep" && sleep) {
    simulator.edit.sleep.patch(person, sleep.id, {
      score_state: which % 2 ? "UNSCORABLE" : "PENDING_SCORE",
      score: null,
    })
    seen.edited += 1
  } else if (edit === "rescore recovery" && recovery?.score) {
    simulator.edit.recovery.patch(person, recovery.cycle_id, {
      score: { ...recovery.score, recovery_score: which % 101, skin_temp_celsius: 30 + (which % 70) / 10 },
    })
    seen.rescored += 1
  } else if (edit === "delete sleep" && sleep) {
    simulator.edit.sleep.delete(person, sleep.id)
    seen.deleted += 1
  } else if (edit === "delete workout" && workout) {
    simulator.edit.workout.delete(person, workout.id)
    seen.deleted += 1
  } else if (edit === "delete cycle" && cycle) {
    simulator.edit.cycle.delete(person, cycle.id)
    seen.deleted += 1
  }
}
