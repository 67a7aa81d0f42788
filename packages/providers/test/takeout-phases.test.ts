// How nights of Google Takeout are drawn over time, by the segments of either form.
import { expect, test } from "vitest"
import { archivedOf, recordsOf } from "./garmin-rows.ts"
import { NIGHT, NIGHT_STAGES, OLD_NIGHT, OLD_SLEEPS, read, SLEEPS, STAGES, stage } from "./takeout-rows.ts"

const courseOf = async (rows: Parameters<typeof read>[0], timeZone?: string) => {
  const [night] = recordsOf(await read(rows, {}, timeZone), "sleep")
  return night && "course" in night ? night.course : undefined
}
const runsOf = (phases: readonly (string | null)[] = []) =>
  phases.reduce<[phase: string | null, count: number][]>((runs, phase) => {
    const last = runs.at(-1)
    if (last?.[0] === phase) last[1] += 1
    else runs.push([phase, 1])
    return runs
  }, [])

test("the segments of a night are its phases, and time without one has none", async () => {
  const course = await courseOf({ [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES })
  expect(course?.intervalMs).toBe(120_000)
  // 15 minutes awake: the middle of the eighth interval is at the end of it, and belongs to light sleep.
  const runs = [
    ["awake", 7],
    ["light", 68],
    ["deep", 45],
    ["rem", 105],
  ]
  expect(runsOf(course?.phases)).toEqual(runs)
  // A night that does not say how long it was asleep.
  const silent = { ...NIGHT, minutes_asleep: undefined }
  for (const index of NIGHT_STAGES.keys())
    expect(
      runsOf((await courseOf({ [SLEEPS]: [silent], [STAGES]: NIGHT_STAGES.toSpliced(index, 1) }))?.phases),
    ).toEqual(runs.map(([phase, count], run) => [run === index ? null : phase, count]))
  expect(await courseOf({ [SLEEPS]: [{ ...NIGHT, sleep_type: "CLASSIC" }], [STAGES]: NIGHT_STAGES })).toBeUndefined()
  const awake = [stage("AWAKE", "11T17:30:00", "12T01:00:00")]
  expect(await courseOf({ [SLEEPS]: [NIGHT], [STAGES]: awake })).toBeUndefined()
  const unknown = NIGHT_STAGES.with(1, stage("ASLEEP", "11T17:45:00", "11T20:00:00"))
  expect(runsOf((await courseOf({ [SLEEPS]: [silent], [STAGES]: unknown }))?.phases)).toEqual(
    runs.map(([phase, count], run) => [run === 1 ? null : phase, count]),
  )
})

const LEFT_OUT = "sleep: stages left out: they add up to another time than the sleep's own"

test("of a night with a part of its stages the own time asleep counts, and no phases", async () => {
  for (const index of [1, 2, 3]) {
    const items = await read({ [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES.toSpliced(index, 1) })
    const [night] = recordsOf(items, "sleep")
    expect(night).toMatchObject({
      asleepMs: NIGHT.minutes_asleep * 60_000,
      efficiencyPercent: 90,
      scoreState: "scored",
    })
    for (const field of ["stages", "course", "samples"]) expect(night).not.toHaveProperty(field)
    expect(items).toContainEqual({ type: "left_out", reason: LEFT_OUT })
  }
  // Forty minutes of 450 that are missing are rounding and gaps.
  const short = NIGHT_STAGES.with(3, stage("REM", "11T21:30:00", "12T00:20:00"))
  const [near] = recordsOf(await read({ [SLEEPS]: [NIGHT], [STAGES]: short }), "sleep")
  expect(near).toMatchObject({ stages: { remMs: 170 * 60_000 } })
})

test("of an old night whose list of stages was cut the summary counts, else the time asleep", async () => {
  const { levels, ...rest } = OLD_NIGHT
  const data = levels.data.slice(0, 2)
  const summed = await read({ [OLD_SLEEPS]: [{ ...rest, levels: { ...levels, data } }] })
  expect(recordsOf(summed, "sleep")[0]).toMatchObject({ stages: { deepMs: 3_600_000, lightMs: 250 * 60_000 } })
  const alone = await read({ [OLD_SLEEPS]: [{ ...rest, levels: { data } }] })
  expect(recordsOf(alone, "sleep")[0]).toMatchObject({ asleepMs: 400 * 60_000 })
  expect(recordsOf(alone, "sleep")[0]).not.toHaveProperty("stages")
  for (const items of [summed, alone]) {
    expect(recordsOf(items, "sleep")[0]).not.toHaveProperty("course")
    expect(recordsOf(items, "sleep")[0]).not.toHaveProperty("samples")
    expect(items).toContainEqual({ type: "left_out", reason: LEFT_OUT })
  }
  expect(recordsOf(await read({ [OLD_SLEEPS]: [OLD_NIGHT] }), "sleep")[0]).toHaveProperty("course")
  // The phases that only the old file has whole are drawn.
  const whole = { ...OLD_NIGHT, levels: { data: [{ ...levels.data[0], seconds: 24_000 }] } }
  const both = await read({ [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES.slice(0, 2), [OLD_SLEEPS]: [whole] })
  expect(recordsOf(both, "sleep")[0]).toMatchObject({
    stages: { lightMs: 24_000_000 },
    course: { intervalMs: 120_000 },
  })
})

test("a time awake over a stage counts once, in the stages as in the phases", async () => {
  const rows = [...NIGHT_STAGES, stage("AWAKE", "11T18:01:00", "11T18:07:00")]
  for (const stages of [rows, rows.toReversed()]) {
    const [night] = recordsOf(await read({ [SLEEPS]: [NIGHT], [STAGES]: stages }), "sleep")
    expect(night).toMatchObject({
      stages: { awakeMs: 21 * 60_000, lightMs: 129 * 60_000, deepMs: 5_400_000, remMs: 12_600_000 },
    })
  }
  expect(runsOf((await courseOf({ [SLEEPS]: [NIGHT], [STAGES]: rows }))?.phases).slice(0, 4)).toEqual([
    ["awake", 7],
    ["light", 8],
    ["awake", 3],
    ["light", 57],
  ])
})

test("an old night in which clocks go back has its phases, and one of an archive with them counts first", async () => {
  const at = (clock: string, level: string, minutes: number) => ({
    dateTime: `2025-10-26T${clock}:00.000`,
    level,
    seconds: minutes * 60,
  })
  const night = {
    ...OLD_NIGHT,
    startTime: "2025-10-26T00:00:00.000",
    endTime: "2025-10-26T06:00:00.000",
    levels: {
      summary: { deep: { minutes: 60 }, light: { minutes: 240 }, rem: { minutes: 110 }, wake: { minutes: 10 } },
      data: [
        at("00:00", "light", 150),
        at("02:30", "deep", 60),
        // Half past two came again.
        at("02:30", "light", 100),
        at("04:10", "rem", 110),
      ],
      shortData: [at("04:00", "wake", 10)],
    },
  }
  expect(runsOf((await courseOf({ [OLD_SLEEPS]: [night] }))?.phases)).toEqual([
    ["light", 75],
    ["deep", 30],
    ["light", 45],
    ["awake", 5],
    ["rem", 55],
  ])
  // Some archives go on with the time of before, in autumn and in spring.
  const before = {
    ...night,
    levels: {
      ...night.levels,
      data: [at("00:00", "light", 150), at("02:30", "deep", 60), at("03:30", "light", 100), at("05:10", "rem", 110)],
      shortData: [at("05:00", "wake", 10)],
    },
  }
  expect((await courseOf({ [OLD_SLEEPS]: [before] }))?.phases).toEqual(
    (await courseOf({ [OLD_SLEEPS]: [night] }))?.phases,
  )
  const inSpring = JSON.parse(JSON.stringify(before).replaceAll("2025-10-26", "2026-03-29"))
  const spring = await courseOf({ [OLD_SLEEPS]: [{ ...inSpring, endTime: "2026-03-29T08:00:00.000" }] })
  expect(runsOf(spring?.phases).slice(1, 4)).toEqual([
    ["deep", 30],
    ["light", 45],
    ["awake", 5],
  ])
  const [drawn] = archivedOf(await read({ [OLD_SLEEPS]: [night] }), "sleep")
  const [alone] = archivedOf(
    await read({ [OLD_SLEEPS]: [{ ...night, levels: { summary: night.levels.summary } }] }),
    "sleep",
  )
  expect(drawn?.precedence).toBeGreaterThan(alone?.precedence ?? Number.NaN)
})
