// A phone that pushes a part of what an archive or a restored export has as a whole, and the other way round.
import { createIngestToken, exportAccount, openIngestToken, readSeriesDays } from "@restwell/core"
import { appleArchive, appleRecord, appleStage } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importArchive } from "../imports/import-archive.ts"
import { storePush } from "./pusher.ts"

const MIDNIGHT = Date.parse("2026-11-10T00:00:00Z")
const HOUR_MS = 3_600_000
const SOURCE = "Apple Watch"

/** A row that both forms can have. Hours count from midnight. */
interface Measured {
  readonly apple: string
  readonly pushed: string
  readonly from: number
  readonly to: number
  readonly value: number | string
}
const row = (
  names: readonly [string, string],
  [from, to]: readonly [number, number],
  value: number | string,
): Measured => ({
  apple: names[0],
  pushed: names[1],
  from,
  to,
  value,
})
const SLEEP = ["", "sleep_segment"] as const
const HRV = ["HeartRateVariabilitySDNN", "hrv_sdnn"] as const
const RESTING = ["RestingHeartRate", "resting_heart_rate"] as const
const STEPS = ["StepCount", "steps"] as const
const UNITS: Readonly<Record<string, string>> = { hrv_sdnn: "ms", resting_heart_rate: "count/min", steps: "count" }
const METRICS: Readonly<Record<string, string>> = {
  sleep_segment: "sleep_analysis",
  hrv_sdnn: "heart_rate_variability",
  steps: "step_count",
}
const STAGES: Readonly<Record<string, string>> = { light: "AsleepCore", deep: "AsleepDeep" }

const WHOLE: readonly Measured[] = [
  row(SLEEP, [-1, 1], "light"),
  row(SLEEP, [1, 3], "deep"),
  row(SLEEP, [3, 5.5], "light"),
  row(SLEEP, [5.5, 7], "deep"),
  row(HRV, [2, 2], 40),
  row(HRV, [4, 4], 50),
  row(HRV, [6, 6], 72),
  row(RESTING, [8, 8], 52),
  row(STEPS, [9, 10], 4_000),
  row(STEPS, [12, 13], 3_000),
  row(STEPS, [22, 23], 500),
]

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 1 })
})
afterAll(() => world.close())

async function push(userId: string, rows: readonly Measured[]): Promise<void> {
  const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
  const metrics = rows.map(({ pushed: name, from, to, value }) => ({
    name: METRICS[name] ?? name,
    units: UNITS[name] ?? "hr",
    data: [
      {
        startDate: new Date(MIDNIGHT + from * HOUR_MS).toISOString(),
        endDate: new Date(MIDNIGHT + to * HOUR_MS).toISOString(),
        ...(typeof value === "number" ? { qty: value } : { value: STAGES[value] }),
        source: SOURCE,
      },
    ],
  }))
  const pusher = await openIngestToken(world.context, token)
  await storePush(world, pusher, { data: { metrics } }, "apple_health")
}

function archiveOf(rows: readonly Measured[]): Buffer {
  const elements = rows.map(({ apple, pushed, from, to, value }) => {
    const times = { startMs: MIDNIGHT + from * HOUR_MS, endMs: MIDNIGHT + to * HOUR_MS }
    const stage = STAGES[value]
    return stage
      ? appleStage(stage, times, { sourceName: SOURCE })
      : appleRecord(apple, times, { sourceName: SOURCE, unit: UNITS[pushed] ?? "", value: String(value) })
  })
  return appleArchive(elements)
}

async function upload(userId: string, bytes: Buffer, fileName: string): Promise<void> {
  expect((await importArchive(world, userId, { bytes, fileName })).status).toBe("done")
}

async function exportedBy(userId: string): Promise<Buffer> {
  return Buffer.from((await Array.fromAsync(exportAccount(world.context, userId))).join(""))
}

async function factsOf(userId: string): Promise<string[]> {
  const { rows } = await world.store.pool.query<{ kind: string; date: string; detail: Record<string, unknown> }>(
    "select kind, date::text, detail from restwell.record where user_id = $1 order by kind, date, provider_id",
    [userId],
  )
  const facts = rows.map(({ kind, date, detail: { startMs, endMs, steps, hrvMs, isNap } }) =>
    JSON.stringify({ kind, date, startMs, endMs, steps, hrvMs, isNap }),
  )
  return [...facts, ...(await stagesOf(userId))]
}

async function stagesOf(userId: string): Promise<string[]> {
  const query = {
    userId,
    type: "sleep_stages",
    providers: ["apple_health"],
    from: "2026-11-09",
    to: "2026-11-10",
  } as const
  const days = await Array.fromAsync(readSeriesDays(world.store.pool, query))
  return days.map(({ samples: { count, atMs, values, durationsMs } }) =>
    Array.from({ length: count }, (_, index) =>
      [(Number(atMs[index]) - MIDNIGHT) / HOUR_MS, values[index], Number(durationsMs?.[index]) / HOUR_MS].join(" "),
    ).join(", "),
  )
}

const PARTS: readonly (readonly [string, (measured: Measured) => boolean])[] = [
  ["the evening's rows", ({ from }) => from < 2],
  ["the rows from midnight on", ({ from }) => from >= 0],
  ["the rows from the middle of the night on", ({ from }) => from >= 3],
  ["the last rows of the night", ({ from }) => from >= 5.5],
  ["the last count of the day", ({ from }) => from >= 22],
]

test.each(PARTS)("%s of a phone replace nothing of an archive that has more, in either order", async (_, isPushed) => {
  const alone = await world.addUser()
  await upload(alone, archiveOf(WHOLE), "export.zip")
  const expected = await factsOf(alone)
  const [before, after] = [await world.addUser(), await world.addUser()]
  await push(before, WHOLE.filter(isPushed))
  await upload(before, archiveOf(WHOLE), "export.zip")
  expect(await factsOf(before)).toEqual(expected)
  await upload(after, archiveOf(WHOLE), "export.zip")
  await push(after, WHOLE.filter(isPushed))
  expect(await factsOf(after)).toEqual(expected)
})

test.each(PARTS)("%s of a phone replace nothing of a restored export that has more", async (_, isPushed) => {
  const former = await world.addUser()
  await push(former, WHOLE)
  const restored = await world.addUser()
  await upload(restored, await exportedBy(former), "export.json")
  await push(restored, WHOLE.filter(isPushed))
  expect(await factsOf(restored)).toEqual(await factsOf(former))
})

test.each(PARTS)("%s of an archive replace nothing that a phone has pushed more of", async (_, isArchived) => {
  const userId = await world.addUser()
  await push(userId, WHOLE)
  const expected = await factsOf(userId)
  await upload(userId, archiveOf(WHOLE.filter(isArchived)), "export.zip")
  expect(await factsOf(userId)).toEqual(expected)
})
