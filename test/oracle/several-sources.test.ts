import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { anyQuery } from "./queries.ts"
import { casesIn, EVERY_CASE } from "./several/cases.ts"
import { addCast, type Member } from "./several/cast.ts"
import { CHANGE_NAMES, CHANGES } from "./several/changes.ts"
import { Dice } from "./several/dice.ts"
import { ANY_REASON, expectedFrom, type SourceQuery } from "./several/expected.ts"
import { Installation } from "./several/installation.ts"
import { HOUR_MS } from "./several/lives.ts"

const START = new Date("2026-10-21T10:00:00Z")
const SEED = 16
const FURTHEST_DAYS_AGO = 140
const ROUNDS = 8

let installation: Installation
let members: Member[]
beforeAll(async () => {
  installation = await Installation.open(START)
  members = await addCast(installation, SEED)
}, 120_000)
afterAll(() => installation.close())

const SOURCES = [
  undefined,
  undefined,
  undefined,
  "all",
  "all",
  "whoop",
  "oura",
  "apple_health",
  "polar",
  "withings",
  "garmin",
  "google_health",
  "fitbit",
]

function anySourceQuery(furthestDaysAgo: number): fc.Arbitrary<SourceQuery> {
  return fc
    .record({ query: anyQuery(installation.now, furthestDaysAgo), source: fc.constantFrom(...SOURCES) })
    .map(({ query, source }) => ({ ...query, ...(source !== undefined && { source }) }))
}

const ListSchema = z.looseObject({
  records: z.array(z.looseObject({ start: z.string().optional(), source: z.string() })),
  empty_reason: z.string().nullable(),
})

/** Records of two sources that started in the same instant may stand in any order. */
function withTiesSorted(body: unknown): unknown {
  const list = ListSchema.safeParse(body)
  if (!list.success) return body
  const { records } = list.data
  const groups = Object.values(Object.groupBy(records, ({ start }, index) => start ?? `record ${index}`))
  const sorted = groups.flatMap((group = []) => group.toSorted((one, other) => (one.source < other.source ? -1 : 1)))
  return { ...list.data, records: sorted }
}

async function compare(member: Member, query: SourceQuery): Promise<void> {
  const expected = expectedFrom(member.ledger, installation.now, query)
  const { status, body } = await installation.read(member, query)
  if ("refused" in expected) {
    expect(expected.refused).toContain(status)
    return
  }
  expect({ status, body: withTiesSorted(body) }).toEqual({
    status: 200,
    body: withTiesSorted(withKnownReason(expected.body, body)),
  })
}

/** An empty list of sources that are not up to date has a reason, whichever. */
function withKnownReason(expected: object, body: unknown): object {
  const list = ListSchema.safeParse(expected)
  if (!list.success || list.data.empty_reason !== ANY_REASON) return expected
  const { empty_reason } = ListSchema.parse(body)
  expect(empty_reason).not.toBeNull()
  return { ...expected, empty_reason }
}

/** fast-check prints the seed of a wrong answer. */
async function compareAtRandom(
  numRuns: number,
  { seed, furthestDaysAgo = FURTHEST_DAYS_AGO }: { seed?: number; furthestDaysAgo?: number } = {},
) {
  const question = fc.record({
    index: fc.nat({ max: members.length - 1 }),
    query: anySourceQuery(furthestDaysAgo),
  })
  await fc.assert(
    fc.asyncProperty(question, async ({ index, query }) => {
      const member = members[index]
      if (member) await compare(member, query)
    }),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
}

describe("every answer for people with one to five sources equals one that is computed independently", () => {
  test("over whole histories with changes of device, overlaps and archives", async () => {
    await compareAtRandom(300)
  })

  // Whether a source's records of the period came from an archive says nothing about its place in the order.
  test("where two sources have as many dates, also with records of an archive", async () => {
    const member = members.find(({ name }) => name === "three sources on journeys")
    if (!member) throw new Error("the cast has nobody with three sources")
    const today = Temporal.PlainDate.from(START.toISOString().slice(0, 10))
    for (let daysAgo = 0; daysAgo < FURTHEST_DAYS_AGO; daysAgo += 1)
      await compare(member, { type: "summary", end_date: today.subtract({ days: daysAgo }).toString() })
  })

  test("while records arrive late, change and disappear, sources come and go, and people choose", async () => {
    const dice = new Dice(SEED)
    const happened = new Map<string, number>()
    const met = new Set<string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      installation.advance(dice.between(HOUR_MS / 4, 30 * HOUR_MS))
      for (const name of dice.shuffled(CHANGE_NAMES))
        for (const member of members) {
          if (!dice.percent(40) || member.truth.sources.length === 0) continue
          if (await CHANGES[name]({ installation, member, dice })) happened.set(name, (happened.get(name) ?? 0) + 1)
        }
      for (const { ledger } of members) for (const name of casesIn(ledger)) met.add(name)
      await compareAtRandom(50, { seed: dice.below(2 ** 31), furthestDaysAgo: 60 })
    }
    for (const name of CHANGE_NAMES) expect(happened.get(name) ?? 0, name).toBeGreaterThan(0)
    expect([...met].sort()).toEqual(EVERY_CASE)
  }, 240_000)
})
