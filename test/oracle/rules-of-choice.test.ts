/* The rules by which a source is chosen (docs/sources.md), as properties of answers over HTTP. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { Dice } from "./several/dice.ts"
import { byDate, isByDate, KINDS, type Listed, type Sent, Stage, valuesOf } from "./several/stage.ts"

const RUNS = { numRuns: 3 }
/** The same lives every time, where a rule must have been met at least once. */
const SAME_RUNS = { ...RUNS, seed: 7 }
const REASONS = ["only_one", "your_choice", "your_order", "complete", "direct", "default_order"]

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

const seed = fc.nat()
const namesOf = (sent: Sent): string[] => [...sent.keys()]

async function storedRows(): Promise<unknown[]> {
  const { rows } = await stage.installation.store.pool.query(
    "select to_jsonb(r) as row from restwell.record r where user_id = $1 order by provider, kind, provider_id",
    [stage.someone.userId],
  )
  return rows
}

/** Every candidate's records of a kind, by source. */
async function bySource(sent: Sent, kind: (typeof KINDS)[number]): Promise<Map<string, Listed[]>> {
  const lists = namesOf(sent).map(async (name) => [name, await stage.records(stage.someone, kind, name)] as const)
  return new Map(await Promise.all(lists))
}

/** Whether half of a nap or more lies within one of the nights among these records. */
function partOfNight(nap: Listed, records: readonly Listed[]): boolean {
  const [start, end] = spanOf(nap)
  return records
    .filter(({ is_nap }) => is_nap === false)
    .map(spanOf)
    .some(([from, to]) => Math.min(end, to) - Math.max(start, from) >= (end - start) / 2)
}

function overlaps(one: Listed, other: Listed): boolean {
  const [[start, end], [from, to]] = [spanOf(one), spanOf(other)]
  return Math.min(end, to) > Math.max(start, from)
}

const nightDate = ({ date, night }: Listed): string => night?.date ?? date

const spanOf = ({ start, end }: Listed): [number, number] => [Date.parse(start ?? ""), Date.parse(end ?? "")]

test("every source is stored unmerged, and no preference changes a stored row", async () => {
  await fc.assert(
    fc.asyncProperty(stage.sent, seed, async (sent, number) => {
      const { someone } = stage
      await stage.fill(someone, sent)
      const before = await storedRows()
      expect(before).toHaveLength([...sent.values()].flat().length)
      await stage.prefer(someone, new Dice(number).shuffled(namesOf(sent)))
      for (const kind of KINDS) {
        const all = await stage.records(someone, kind, "all")
        const sources = await bySource(sent, kind)
        const alone = [...sources.values()].flat()
        const isPart = (each: Listed) => each.is_nap === true && partOfNight(each, sources.get(each.source) ?? [])
        const textOf = (each: Listed) => JSON.stringify(valuesOf(each))
        expect(
          all
            .filter((each) => !isPart(each))
            .map(textOf)
            .toSorted(),
        ).toEqual(alone.map(textOf).toSorted())
      }
      expect(await storedRows()).toEqual(before)
    }),
    RUNS,
  )
})

test("an archive's record is only chosen for a date that the direct sources do not have as completely", async () => {
  const { someone, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const [[archived, records] = ["whoop", []] as const] = sent
      await installation.archive(someone, archived, records)
      await installation.setStatus(someone, archived, "archive")
      for (const kind of KINDS) {
        const all = await stage.records(someone, kind, "all")
        const ofDates = Map.groupBy(all.filter(isByDate(kind)), nightDate)
        for (const each of all.filter((one) => one.chosen === true && one.source === archived && isByDate(kind)(one))) {
          const sources = new Set(ofDates.get(nightDate(each))?.map(({ source }) => source))
          sources.delete(archived)
          // What a phone collects goes behind an archive. The reason compares the source with the next one, which may be the phone.
          const isBesidePhone = sources.has("apple_health")
          const expected = sources.size === 0 ? ["only_one"] : isBesidePhone ? ["complete", "direct"] : ["complete"]
          expect(expected).toContain(each.chosen_because)
        }
      }
    }),
    RUNS,
  )
})

test("a night has the local date of waking, and naps never change which night is chosen", async () => {
  const { someone, other } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      const isNap = (record: { kind: string; isNap?: boolean }) => record.kind === "sleep" && record.isNap === true
      await stage.fill(someone, sent)
      await stage.fill(other, new Map([...sent].map(([name, all]) => [name, all.filter((each) => !isNap(each))])))
      const nights = (await stage.records(someone, "sleep")).filter(({ is_nap }) => is_nap === false)
      expect(nights).toEqual(await stage.records(other, "sleep"))
      const wakingDates = new Map(
        someone.ledger.measured().sleep.map(({ provider, record, date }) => [`${provider}-${record.providerId}`, date]),
      )
      for (const { id, date } of nights) expect(date).toBe(wakingDates.get(id ?? ""))
      for (const [, ofDate] of Map.groupBy(nights, nightDate))
        expect(new Set(ofDate.map(({ source }) => source)).size).toBe(1)
    }),
    RUNS,
  )
})

test("a nap within a night that answers is a part of it, whatever its source, and every other nap is listed or shared", async () => {
  const { someone } = stage
  let parts = 0
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const all = await stage.records(someone, "sleep", "all")
      const answering = all.filter(({ chosen }) => chosen === true)
      for (const nap of all.filter(({ is_nap }) => is_nap === true)) {
        const isPart = partOfNight(nap, answering)
        if (isPart) parts += 1
        expect(nap.chosen && isPart).toBe(false)
        const isShared = answering.some(
          (other) => other.is_nap === true && other.source !== nap.source && overlaps(other, nap),
        )
        if (!isPart && !isShared) expect(nap.chosen).toBe(true)
      }
    }),
    SAME_RUNS,
  )
  expect(parts).toBeGreaterThan(0)
})

test("while a source awaits its strain, its day answers before one that has calories alone", async () => {
  const { someone } = stage
  let awaited = 0
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      for (const [, ofDate] of byDate(await stage.records(someone, "cycle", "all"))) {
        const own = ofDate.filter(({ source }) => source === "whoop")
        const isOpen = own.some(({ score_state, end }) => score_state === "pending" || end === null)
        const others = ofDate.filter(({ source, strain }) => source !== "whoop" && (strain ?? null) === null)
        if (!isOpen || others.length === 0) continue
        awaited += 1
        for (const other of others) expect(other.chosen).toBe(false)
      }
    }),
    SAME_RUNS,
  )
  expect(awaited).toBeGreaterThan(0)
})

test("R3b a source is a candidate only for dates it has a record of, and absence is never zero", async () => {
  const { someone } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      for (const kind of KINDS) {
        const sources = await bySource(sent, kind)
        const chosen = (await stage.records(someone, kind)).filter(isByDate(kind))
        const others = [...sources.values()].flat().filter(isByDate(kind))
        const nights = kind === "sleep" ? chosen : []
        // A part of a night has the night's date, and a fragment of another date's night is no night.
        const isFragment = (each: Listed) =>
          nights.some(
            (night) => night.source !== each.source && nightDate(night) !== nightDate(each) && overlaps(night, each),
          )
        const dates = others.filter((each) => !isFragment(each)).map(nightDate)
        expect(new Set(chosen.map(nightDate))).toEqual(new Set([...dates, ...nights.map(nightDate)]))
        for (const { date, source } of chosen) expect(sources.get(source)?.some((own) => own.date === date)).toBe(true)
      }
      await stage.fill(
        someone,
        new Map([...sent].map(([name, all]) => [name, all.filter(({ kind }) => kind === "workout")])),
      )
      expect((await stage.read(someone, "summary")).body).toMatchObject({
        sleep: { average_duration_hours: null, night_count: 0, source: null },
        recovery: { average_score: null, average_hrv: null, average_rhr: null, day_count: 0, source: null },
        strain: { total: null, average_daily: null, cycle_count: 0, source: null },
      })
    }),
    RUNS,
  )
})

test("every chosen record is one source's whole record", async () => {
  const { someone } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      for (const kind of KINDS) {
        const all = (await stage.records(someone, kind, "all")).map(valuesOf)
        for (const each of await stage.records(someone, kind)) expect(all).toContainEqual(valuesOf(each))
      }
    }),
    RUNS,
  )
})

test("a choice goes before the order, the order before completeness, and the same data give the same answer at any time", async () => {
  const { someone, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, seed, async (sent, number) => {
      const dice = new Dice(number)
      await stage.fill(someone, sent)
      const names = dice.shuffled(namesOf(sent))
      await stage.prefer(someone, names)
      for (const kind of ["recovery", "cycle"] as const) {
        const sources = await bySource(sent, kind)
        const ownersOf = (date: string) => names.filter((name) => sources.get(name)?.some((own) => own.date === date))
        for (const { date, source, chosen_because } of await stage.records(someone, kind)) {
          expect(source).toBe(ownersOf(date)[0])
          expect(chosen_because).toBe(ownersOf(date).length > 1 ? "your_order" : "only_one")
        }
        const [{ date } = { date: "2026-10-20" }] = dice.shuffled((await stage.records(someone, kind, "all")).slice())
        const wanted = dice.pick(ownersOf(date))
        await installation.prefer(someone, { choices: [{ type: kind, date, source: wanted }] })
        for (const each of byDate(await stage.records(someone, kind)).get(date) ?? [])
          expect([each.source, each.chosen_because]).toEqual([
            wanted,
            ownersOf(date).length > 1 ? "your_choice" : "only_one",
          ])
      }
      const before = await stage.chosen(someone)
      installation.advance(60_000)
      expect(await stage.chosen(someone)).toEqual(before)
    }),
    RUNS,
  )
})

const SummarySchema = z.object({
  recovery: z.object({
    average_score: z.number().nullable(),
    average_hrv: z.number().nullable(),
    day_count: z.int(),
    source: z.string().nullable(),
    hrv_method: z.string().nullable(),
  }),
})
const FiguresSchema = z.looseObject({
  score: z.number().nullable(),
  hrv: z.number().nullable(),
  hrv_method: z.string().nullable(),
})

/** The mean, as far as rounded values give it. */
function expectMean(average: number | null, values: readonly (number | null)[]): void {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) expect(average).toBeNull()
  else
    expect(
      Math.abs((average ?? Number.NaN) - known.reduce((sum, value) => sum + value, 0) / known.length),
    ).toBeLessThan(0.11)
}

/** What the vendor could not score counts with what it has. */
function hasCountedFigures(record: { readonly score_state: string }): boolean {
  const names = ["score", "hrv", "resting_heart_rate", "spo2", "skin_temp_celsius", "skin_temp_deviation_celsius"]
  const figures = Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    names.includes(name) ? [value] : [],
  )
  return (
    record.score_state === "scored" || (record.score_state === "unscorable" && figures.some((each) => each !== null))
  )
}

test("vendors' scores are never averaged together", async () => {
  const { someone } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const { recovery } = SummarySchema.parse((await stage.read(someone, "summary")).body)
      const own = (await stage.records(someone, "recovery")).filter(({ source }) => source === recovery.source)
      const counted = own.filter(hasCountedFigures).map((each) => FiguresSchema.parse(each))
      expect(recovery.day_count).toBe(counted.length)
      expectMean(
        recovery.average_score,
        counted.map(({ score }) => score),
      )
    }),
    RUNS,
  )
})

test("an HRV has its method, and no average crosses a method", async () => {
  const { someone } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const methodOf = (source: string) => (source === "apple_health" ? "sdnn" : "rmssd")
      const records = await stage.records(someone, "recovery")
      for (const each of records) {
        const { hrv, hrv_method } = FiguresSchema.parse(each)
        expect(hrv_method).toBe(hrv === null ? null : methodOf(each.source))
      }
      const { recovery } = SummarySchema.parse((await stage.read(someone, "summary")).body)
      if (recovery.hrv_method !== null) expect(recovery.hrv_method).toBe(methodOf(recovery.source ?? ""))
      const ofMethod = records.filter((each) => each.source === recovery.source && hasCountedFigures(each))
      expectMean(
        recovery.average_hrv,
        ofMethod.map((each) => FiguresSchema.parse(each).hrv),
      )
    }),
    RUNS,
  )
})

test("every answer names its source and why, and a source that is not connected is refused in words", async () => {
  const { someone, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      for (const kind of KINDS) {
        for (const each of await stage.records(someone, kind)) {
          expect(namesOf(sent)).toContain(each.source)
          expect(REASONS).toContain(each.chosen_because)
        }
        for (const name of namesOf(sent))
          for (const each of await stage.records(someone, kind, name))
            expect([each.source, each.chosen_because]).toEqual([name, "only_one"])
        for (const each of await stage.records(someone, kind, "all")) {
          expect(each.chosen_because === null).toBe(each.chosen === false)
        }
      }
      const refused = await installation.read(someone, { type: "sleep", source: "withings" })
      expect(refused).toMatchObject({
        status: 404,
        body: { error: "not_found", message: expect.stringMatching(/\w+ \w+/) },
      })
      expect(await installation.read(someone, { type: "sleep", source: "fitbit" })).toMatchObject({
        status: 400,
        body: { error: "invalid_request", field: "source" },
      })
    }),
    RUNS,
  )
})
