/* The rules by which answers change with the sources (docs/sources.md), as properties of answers over HTTP. */
import type { NormalizedRecord } from "@restwell/providers"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { Dice } from "./several/dice.ts"
import { type DeviceName, isByDate, KINDS, type Listed, type Sent, Stage, valuesOf } from "./several/stage.ts"

const RUNS = { numRuns: 3 }

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

const seed = fc.nat()
const without = (sent: Sent, name: string): Sent => new Map([...sent].filter(([each]) => each !== name))

const overlaps = (one: Listed, other: Listed): boolean =>
  Date.parse(one.start ?? "") < Date.parse(other.end ?? "") && Date.parse(other.start ?? "") < Date.parse(one.end ?? "")

/** A part of a night has the date of the night. */
const nightDateOf = ({ date, night }: Listed): string => night?.date ?? date

/** The first source, and its records. */
function firstOf(sent: Sent): [DeviceName, readonly NormalizedRecord[]] {
  for (const first of sent) return [...first]
  throw new Error("there is no source")
}

test.each([
  ["keeps its records", false],
  ["deletes its records", true],
])(
  "a source that disconnects and %s answers nothing from the next read on, and again when it is back",
  async (_, wipeData) => {
    const { someone, other, installation } = stage
    await fc.assert(
      fc.asyncProperty(stage.sent, async (sent) => {
        const [gone, records] = firstOf(sent)
        await stage.fill(someone, sent)
        await stage.fill(other, without(sent, gone))
        const before = await stage.answers(someone)
        await installation.disconnect(someone, gone, wipeData)
        // "Today" is where the newest record was, of whichever source: summaries are compared by the oracle.
        expect(await stage.chosen(someone)).toEqual(await stage.chosen(other))
        expect((await stage.read(someone, "sleep", gone)).status).toBe(404)
        await installation.connect(someone, gone)
        if (wipeData) await installation.sync(someone, gone, { records })
        expect(await stage.answers(someone)).toEqual(before)
      }),
      RUNS,
    )
  },
)

test("late and deleted records change the next answer", async () => {
  const { someone, other, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, seed, async (sent, number) => {
      const [name, records] = firstOf(sent)
      const late = new Dice(number).shuffled(records).slice(0, 20)
      const early = new Map(sent).set(
        name,
        records.filter((record) => !late.includes(record)),
      )
      await stage.fill(other, early)
      const before = await stage.answers(other)
      await stage.fill(someone, early)
      expect(await stage.answers(someone)).toEqual(before)
      await installation.sync(someone, name, { records: late })
      await stage.fill(other, sent)
      expect(await stage.answers(someone)).toEqual(await stage.answers(other))
      await installation.sync(someone, name, { deleted: late })
      expect(await stage.answers(someone)).toEqual(before)
    }),
    RUNS,
  )
})

test("the order of arrival changes nothing", async () => {
  const { someone, other, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, seed, async (sent, number) => {
      const dice = new Dice(number)
      await stage.fill(someone, sent)
      await installation.forget(other)
      const arrivals = dice.shuffled(
        [...sent].flatMap(([name, records]) => records.map((record) => ({ name, record }))),
      )
      for (const name of dice.shuffled([...sent.keys()])) await installation.connect(other, name)
      for (let from = 0; from < arrivals.length; from += 40)
        for (const [name, part] of Map.groupBy(arrivals.slice(from, from + 40), (each) => each.name))
          await installation.sync(other, name, { records: part.map(({ record }) => record) })
      expect(await stage.answers(other)).toEqual(await stage.answers(someone))
    }),
    RUNS,
  )
})

test("records that arrive again change nothing", async () => {
  const { someone, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const before = await stage.answers(someone)
      for (const [name, records] of sent) await installation.sync(someone, name, { records: records.toReversed() })
      expect(await stage.answers(someone)).toEqual(before)
    }),
    RUNS,
  )
})

test("a source that is added last in the order changes no chosen value", async () => {
  const { someone, other } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      const [added] = firstOf(sent)
      const names = [...without(sent, added).keys()]
      await stage.fill(someone, without(sent, added))
      await stage.prefer(someone, names)
      await stage.fill(other, sent)
      await stage.prefer(other, [...names, added])
      const [before, after] = [await stage.chosen(someone), await stage.chosen(other)]
      // Where it alone has a main sleep, a nap within that sleep is a part of it.
      const mains = after.sleep.filter(({ source, is_nap }) => source === added && is_nap === false)
      // Where its sleep is of another date and far longer, a fragment of that sleep is no night of its own.
      const covered = new Set(
        before.sleep
          .filter((each) => mains.some((main) => main.date !== nightDateOf(each) && overlaps(main, each)))
          .map(nightDateOf),
      )
      const isApart = (each: Listed) =>
        each.is_nap === true ? !mains.some((main) => overlaps(main, each)) : !covered.has(nightDateOf(each))
      for (const kind of KINDS) {
        const former = kind === "sleep" ? before.sleep.filter(isApart) : before[kind]
        const dates = new Set(former.filter(isByDate(kind)).map(nightDateOf))
        const still = after[kind].filter((each) => each.source !== added && (kind !== "sleep" || isApart(each)))
        expect(still.map(valuesOf)).toEqual(former.map(valuesOf))
        for (const each of after[kind].filter(({ source }) => source === added).filter(isByDate(kind)))
          expect(dates.has(nightDateOf(each))).toBe(false)
      }
    }),
    RUNS,
  )
})

test("without the winner the answer is exactly the runner-up's", async () => {
  const { someone, other, installation } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      const [winner] = firstOf(sent)
      const names = [...without(sent, winner).keys()]
      await stage.fill(someone, sent)
      await stage.prefer(someone, [winner, ...names])
      await installation.disconnect(someone, winner, true)
      await stage.fill(other, without(sent, winner))
      await stage.prefer(other, names)
      expect(await stage.answers(someone)).toEqual(await stage.answers(other))
    }),
    RUNS,
  )
})

const SummarySchema = z.object({
  strain: z.object({ total: z.number().nullable(), workout_count: z.int(), cycle_count: z.int() }),
})
const FiguresSchema = z.object({
  duration_hours: z.number(),
  stages: z.object({ light_hours: z.number(), deep_hours: z.number(), rem_hours: z.number(), awake_hours: z.number() }),
})

test("totals are never sums over copies, and stages fit into the time in bed", async () => {
  const { someone, other } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      const [, records] = firstOf(sent)
      const copies: Sent = new Map((["whoop", "oura", "polar"] as const).map((provider) => [provider, records]))
      await stage.fill(someone, copies)
      await stage.fill(other, new Map([["polar", records]] as const))
      await stage.prefer(someone, ["polar"])
      const [together, alone] = [await stage.chosen(someone), await stage.chosen(other)]
      for (const kind of KINDS) expect(together[kind].map(valuesOf)).toEqual(alone[kind].map(valuesOf))
      const totals = async (whose: typeof someone) => SummarySchema.parse((await stage.read(whose, "summary")).body)
      expect(await totals(someone)).toEqual(await totals(other))
      for (const each of together.sleep) {
        const { success, data } = FiguresSchema.safeParse(each)
        if (!success) continue
        const { light_hours, deep_hours, rem_hours, awake_hours } = data.stages
        expect(light_hours + deep_hours + rem_hours + awake_hours).toBeLessThanOrEqual(data.duration_hours + 0.02)
      }
    }),
    RUNS,
  )
})
