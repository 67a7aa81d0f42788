// People with up to four devices, archives among them, of which the simulator knows what each recorded.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { DeviceStage, type Wearer, type Worn, windowsOf } from "./devices/compare-devices.ts"

let stage: DeviceStage
beforeAll(async () => {
  stage = await DeviceStage.open()
})
afterAll(() => stage.close())

const PEOPLE: readonly (Wearer & { readonly name: string })[] = [
  {
    name: "two vendors connected and two archives",
    seed: 1,
    days: 60,
    devices: ["whoop", "oura", "garmin", "apple_health"],
    unworn: 10,
  },
  {
    name: "a connection and two archives, in an order and with choices",
    seed: 2,
    days: 60,
    devices: ["whoop", "google_health", "apple_health"],
    unworn: 20,
    order: { sleep: ["apple_health", "whoop"], recovery: ["google_health"], cycle: ["apple_health", "google_health"] },
    choices: 5,
  },
  { name: "three archives alone", seed: 3, days: 60, devices: ["garmin", "google_health", "apple_health"], unworn: 30 },
]

test.each(PEOPLE)("answers to somebody with $name equal what the devices recorded", async (wearer) => {
  const person = await stage.wear(wearer)
  expect(await person.differences()).toEqual([])
})

const YEAR = 365
const RecordsSchema = z.object({
  records: z.array(
    z.object({
      date: z.string(),
      source: z.string(),
      score_state: z.string(),
      steps: z.number().nullish(),
      score: z.unknown().optional(),
      hrv: z.number().nullish(),
      hrv_method: z.string().nullish(),
    }),
  ),
})
const SummarySchema = z.object({
  recovery: z.object({
    source: z.string().nullable(),
    hrv_method: z.string().nullable(),
    average_hrv: z.number().nullable(),
    average_score: z.number().nullable(),
  }),
})
/** Points are of one device. Of the steps that Apple's watch and phone have together, the watch counted two thirds. */
const WATCH = 2 / 3
const PointsSchema = z.object({ points: z.array(z.object({ date: z.string(), sum: z.number() })) })

const recordsOf = async ({ read }: Worn, query: object) => RecordsSchema.parse(await read("health", query)).records
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** What each device counted on each date. */
function stepsByDate({ ledger }: Worn): ReadonlyMap<string, readonly number[]> {
  const cycles = ledger
    .measured()
    .cycle.flatMap(({ date, record: { steps } }) => (steps === undefined ? [] : { date, steps }))
  return new Map(
    [...Map.groupBy(cycles, ({ date }) => date)].map(([date, all]) => [date, all.map(({ steps }) => steps)]),
  )
}

async function expectNoStepTwice(person: Worn): Promise<void> {
  const counted = stepsByDate(person)
  let dates = 0
  for (const window of windowsOf(person.wearer)) {
    const cycles = await recordsOf(person, { type: "cycle", ...window })
    for (const [date, ofDate] of Map.groupBy(cycles, (cycle) => cycle.date)) {
      const known = ofDate.flatMap(({ steps }) => steps ?? [])
      if (known.length === 0) continue
      dates += 1
      expect(counted.get(date), date).toContain(known.reduce((sum, steps) => sum + steps, 0))
    }
  }
  const days = PointsSchema.parse(await person.read("series", { type: "steps", resolution: "1d", days: YEAR })).points
  for (const { date, sum } of days) {
    dates += 1
    const nearest = Math.min(
      ...(counted.get(date) ?? []).flatMap((steps) => [steps, steps * WATCH].map((own) => Math.abs(own - sum))),
    )
    expect(nearest, date).toBeLessThanOrEqual(0.5)
  }
  expect(dates).toBeGreaterThan(YEAR / 2)
}

/** Averages are those of one source's own mornings, and these have one method. */
async function expectAveragesOfOneSource(person: Worn): Promise<void> {
  const sources = new Set<string>()
  for (const window of windowsOf(person.wearer)) {
    const { recovery } = SummarySchema.parse(await person.read("health", { type: "summary", ...window }))
    const mornings = await recordsOf(person, { type: "recovery", ...window })
    for (const { source } of mornings) sources.add(source)
    const own = mornings.filter(({ source, score_state: state }) => source === recovery.source && state === "scored")
    expect(new Set(own.flatMap(({ hrv_method: method }) => method ?? []))).toEqual(new Set([recovery.hrv_method]))
    expect(recovery.average_hrv).toBeCloseTo(mean(own.flatMap(({ hrv }) => hrv ?? [])) ?? -1, 0)
    const scores = own.flatMap(({ score }) => (typeof score === "number" ? [score] : []))
    if (recovery.average_score !== null) expect(recovery.average_score).toBeCloseTo(mean(scores) ?? -1, 0)
  }
  expect([...sources].toSorted()).toEqual([...person.wearer.devices].toSorted())
}

describe.each<Pick<Wearer, "seed" | "devices">>([{ seed: 11, devices: ["whoop", "apple_health"] }])(
  "over a year with $devices",
  ({ seed, devices }) => {
    let person: Worn
    beforeAll(async () => {
      const [vendor = "whoop", archive = "garmin"] = devices
      // Each goes first for some types, so that both answer.
      person = await stage.wear({ seed, days: YEAR, devices, unworn: 25, order: { recovery: [archive, vendor] } })
    }, 60_000)

    test("nights, days, workouts and averages are those that the rules choose", async () => {
      expect(await person.differences()).toEqual([])
    })

    test("no step is counted twice", async () => {
      await expectNoStepTwice(person)
    })

    test("no average crosses vendors' scores or methods of HRV", async () => {
      await expectAveragesOfOneSource(person)
    })
  },
)
