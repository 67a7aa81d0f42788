import type { TrendDay } from "@restwell/client"
import { unbroken } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { NO_DAY } from "../../test/no-day.ts"
import { differenceCount } from "./differences.tsx"
import { dialsOf } from "./overview.tsx"
import { storyOf, usualTimesOf } from "./story.ts"
import { reasonsOf } from "./why.ts"

type Night = NonNullable<TrendDay["sleep"]>

const NIGHT: Night = {
  source: "whoop",
  score_state: "scored",
  start: "2026-11-19T22:30:00.000Z",
  end: "2026-11-20T06:31:00.000Z",
  start_local: "2026-11-19T22:30:00+00:00",
  end_local: "2026-11-20T06:31:00+00:00",
  start_minutes: -90,
  end_minutes: 391,
  duration_hours: 8.02,
  asleep_hours: 7.48,
  need_hours: 7.98,
  light_hours: 3.8,
  deep_hours: 1.7,
  rem_hours: 1.97,
  awake_hours: 0.53,
  performance: 94,
  efficiency: 93,
  consistency: 80,
  respiratory_rate: 14,
  score_delay_minutes: 12,
  course: null,
}

const RECOVERY: NonNullable<TrendDay["recovery"]> = {
  source: "whoop",
  score_state: "scored",
  score: 88,
  hrv: 64,
  hrv_method: "rmssd",
  resting_heart_rate: 50,
  spo2: 97,
  skin_temp_celsius: 33.5,
  skin_temp_deviation_celsius: 0.1,
}

const STRAIN: NonNullable<TrendDay["strain"]> = {
  source: "whoop",
  score_state: "scored",
  strain: 12.4,
  calories: 2300,
  steps: null,
  active_calories: null,
  is_open: false,
}

const FULL: TrendDay = {
  ...NO_DAY,
  sleep: NIGHT,
  recovery: RECOVERY,
  strain: STRAIN,
  recovery_score_band: { low: 60, high: 70 },
  asleep_band: { low: 7, high: 8 },
}
const WEEK = Array.from({ length: 7 }, () => FULL)

type Given = Partial<Parameters<typeof storyOf>[0]>

/** As the service says: of today what is neither scored nor missing for a reason is awaited, and of other dates nothing. */
const inputOf = (day: TrendDay, { isToday = false, explained = new Set(), ...given }: Given = {}) => {
  const kinds = ["sleep", "recovery", "cycle", "workout"] as const
  const states = { sleep: day.sleep?.score_state, recovery: day.recovery?.score_state }
  const scored = Object.entries(states).flatMap(([kind, state]) => (state === "scored" ? [kind] : []))
  const awaited = new Set(kinds.filter((kind) => isToday && !explained.has(kind) && !scored.includes(kind)))
  return { day, before: WEEK, isToday, clock: "24h" as const, best: null, explained, awaited, ...given }
}

const storyFor = (day: TrendDay, given?: Given) => storyOf(inputOf(day, given)).join(" ")

test("a full day has the minutes that the page displays", () => {
  expect(storyFor(FULL)).toBe("Recovery 88 %, above your usual. You slept 7 h 29 min, 30 minutes less than you needed.")
})

test("a personal best is the last sentence, with the one before and its date", () => {
  const former = { date: "2026-03-12", value: 51 }
  const best = {
    metric: "resting_heart_rate",
    unit: "bpm",
    kind: "lowest",
    span: "ever",
    value: 50,
    former,
    source: null,
  } as const
  expect(storyFor(FULL, { best })).toMatch(
    /than you needed\. Your lowest resting heart rate so far: 50 bpm\. Before, it was 51 bpm on Mar 12, 2026\.$/,
  )
  expect(storyFor(FULL, { best: { ...best, source: "oura" } })).toMatch(
    /Your lowest resting heart rate from Oura so far: 50 bpm\. Before, it was 51 bpm on Mar 12, 2026\.$/,
  )
  const sleep = { ...best, metric: "asleep", unit: "h", kind: "highest", value: 9.5 } as const
  expect(storyFor(FULL, { best: { ...sleep, span: "year", former: { date: "2025-01-02", value: 9.75 } } })).toMatch(
    /Your longest sleep in a year: 9 h 30 min\. The last one as long was 9 h 45 min, on Jan 2, 2025\.$/,
  )
  expect(storyFor(FULL, { best: { ...sleep, kind: "count", value: 1000, former: null } })).toMatch(
    /This is your 1,000th recorded night\.$/,
  )
})

test.each([
  [{ need_hours: 7.5 }, "You slept 7 h 29 min, as much as you needed."],
  [{ need_hours: 6 }, "You slept 7 h 29 min, 1 h 29 min more than you needed."],
  [{ need_hours: null }, "You slept 7 h 29 min, about as long as usual."],
  [{ need_hours: null, asleep_hours: 5 }, "You slept 5 h 00 min, 2 h 30 min less than usual."],
  [{ asleep_hours: null }, "You were in bed for 8 h 01 min."],
])("a night with %j: %s", (night, text) => {
  expect(storyFor({ ...FULL, recovery: null, sleep: { ...NIGHT, ...night } })).toContain(text)
})

test("a night that is not scored yet is as long as it is so far, and is compared with nothing", () => {
  const night: Night = { ...NIGHT, source: "withings", score_state: "pending", asleep_hours: 2.2, performance: null }
  const day = { ...FULL, sleep: { ...night, need_hours: null }, hrv_band: { low: 80, high: 90 } }
  const words = "2 h 12 min asleep so far."
  expect(storyFor({ ...day, recovery: null }, { before: [], isToday: true })).toBe(words)
  expect(storyFor({ ...day, recovery: null, sleep: night })).toContain(words)
  const ringOf = (sleep: Night) => dialsOf(inputOf({ ...day, sleep }, { isToday: true }))[1]
  expect(ringOf(night)).toMatchObject({ title: "Sleep", figure: "2 h 12", caption: "so far", lines: [] })
  expect(ringOf({ ...night, performance: 31 })).toMatchObject({
    caption: "so far",
    lines: ["2 h 12 min asleep so far"],
  })
  expect(reasonsOf(FULL, WEEK).map(({ id }) => id)).toContain("asleep")
  expect(reasonsOf(day, WEEK).map(({ id }) => id)).not.toContain("asleep")
  const recovery = { ...RECOVERY, source: "withings", score: null, score_state: "pending" as const }
  const compared = (each: TrendDay) =>
    differenceCount({
      ...{ ...inputOf(each, { isToday: true }), figures: [], namesSources: false, signs: [] },
      preferences: { units: "metric", clock: "24h", first_weekday: "monday" },
    })
  expect(compared(day)).toBeDefined()
  expect(compared({ ...day, recovery })).toBeUndefined()
})

test("an Oura score is a readiness, and has no percent sign", () => {
  expect(storyFor({ ...FULL, recovery: { ...RECOVERY, source: "oura", score: 65 } })).toMatch(
    /^Readiness 65, within your usual range\./,
  )
})

test("a score that is missing today says when it usually comes, from the person's own nights", () => {
  expect(usualTimesOf(WEEK)).toEqual({ wake: 395, score: 405 })
  expect(storyFor(NO_DAY, { isToday: true })).toBe(
    "Your night is not here yet. The score from WHOOP usually comes by about 06:45.",
  )
  const pending = { ...NO_DAY, sleep: NIGHT, recovery: { ...RECOVERY, score: null, score_state: "pending" as const } }
  expect(storyFor(pending, { isToday: true, clock: "12h" })).toBe(
    "You slept 7 h 29 min, 30 minutes less than you needed. Your recovery is not scored yet. " +
      "The score from WHOOP usually comes by about 6:45 AM.",
  )
})

test("where no device scores recoveries, no score is promised, and the night is expected at the waking time", () => {
  // As Google Health, Withings and Polar: a recovery of each night, without a score.
  const recovery = { ...RECOVERY, source: "withings", score: null }
  const before = WEEK.map((day) => ({ ...day, sleep: { ...NIGHT, source: "withings" }, recovery }))
  const days = {
    "without a night": NO_DAY,
    "with a night that is not scored": { ...FULL, recovery: { ...recovery, score_state: "pending" as const } },
    "with a night": { ...FULL, recovery },
  }
  const asked = (day: TrendDay, isToday: boolean) => {
    const rings = dialsOf(inputOf(day, { before, isToday }))
    return [storyFor(day, { before, isToday }), rings.map(({ title, lines }) => [title, ...lines].join(": "))]
  }
  const slept = "You slept 7 h 29 min, 30 minutes less than you needed."
  expect(asked(days["without a night"], true)).toEqual([
    "Your night is not here yet. You usually wake up at about 06:35.",
    [
      "Sleep: No sleep has been recorded for last night yet.",
      "Strain: Not available yet. Your day starts when you wake up.",
    ],
  ])
  for (const isToday of [true, false])
    for (const name of ["with a night that is not scored", "with a night"] as const)
      expect(asked(days[name], isToday), name).toEqual([
        slept,
        ["Sleep: 7 h 29 min asleep", "Strain: 0 workouts: 2,300 kcal"],
      ])
  expect(asked(days["without a night"], false)[1]).not.toContainEqual(expect.stringMatching(/^Recovery/))
})

test("a recovery that is there without a score is not waited for, whatever another device gave before", () => {
  const day = { ...FULL, recovery: { ...RECOVERY, source: "google_health", score: null } }
  expect(storyFor(day, { isToday: true })).toBe("You slept 7 h 29 min, 30 minutes less than you needed.")
  const [ring] = dialsOf(inputOf(day, { isToday: true }))
  expect(ring).toMatchObject({
    caption: "no score",
    lines: ["Fitbit (Google Health) has no recovery score for this day."],
  })
})

test("with too few nights or an unknown delay, nothing is said that is not known", () => {
  expect(storyFor(NO_DAY, { isToday: true, before: WEEK.slice(0, 4) })).toBe("Your night is not here yet.")
  const unknown = WEEK.map((day) => ({ ...day, sleep: { ...NIGHT, score_delay_minutes: null } }))
  expect(storyFor(NO_DAY, { isToday: true, before: unknown })).toBe(
    "Your night is not here yet. You usually wake up at about 06:35.",
  )
})

test("a day without data says so", () => {
  expect(storyFor(NO_DAY)).toBe("Nothing was recorded on this day.")
  expect(storyFor({ ...NO_DAY, strain: STRAIN })).toBe("No night was recorded.")
  const unscorable = { ...RECOVERY, score: null, score_state: "unscorable" as const }
  expect(storyFor({ ...NO_DAY, recovery: unscorable })).toBe(
    "Your recovery could not be scored: the device recorded too little.",
  )
})

test("a night that is missing for a known reason is not expected any more, and nobody is asked about the device", () => {
  const explained = new Set(["sleep", "recovery", "cycle"] as const)
  expect(storyFor(NO_DAY, { explained })).toBe("Your night is missing.")
  expect(storyFor(NO_DAY, { explained, isToday: true })).toBe("Your night is missing.")
  expect(storyFor({ ...NO_DAY, sleep: NIGHT }, { explained, isToday: true })).toBe(
    "You slept 7 h 29 min, 30 minutes less than you needed.",
  )
  for (const isToday of [true, false]) {
    const dials = dialsOf(inputOf(NO_DAY, { isToday, explained }))
    expect(dials.map(({ title, caption, lines }) => [title, caption, ...lines])).toEqual(
      ["Recovery", "Sleep", "Strain"].map((title) => [title, "no score", "Missing, for the reason above."]),
    )
  }
})

test("a night that no source gives is neither late nor said to have ended", () => {
  const awaited = new Set(["cycle", "workout"] as const)
  expect(storyFor(NO_DAY, { awaited, isToday: true })).toBe("Nothing has been recorded today.")
  expect(storyFor({ ...NO_DAY, strain: STRAIN }, { awaited, isToday: true })).toBe("No night was recorded.")
  const [recovery, sleep] = dialsOf(inputOf(NO_DAY, { awaited, isToday: true }))
  expect(recovery).toMatchObject({ caption: "no score", lines: ["No recovery was recorded."] })
  expect(sleep).toMatchObject({ caption: "no score", lines: [expect.stringMatching(/^No sleep was recorded\./)] })
})

const dialsFor = (day: TrendDay, before: TrendDay[] = []) =>
  dialsOf(inputOf(day, { before })).map(({ title, figure, unit, caption }) => [title, figure + unit, caption].join(" "))

test("the third dial is strain, or steps of a device without strain, or absent", () => {
  expect(dialsFor(FULL, WEEK)).toEqual(["Recovery 88% Good", "Sleep 94% of need", "Strain 12.4 of 21"])
  const walked = { ...FULL, strain: { ...STRAIN, source: "oura", strain: null, steps: 9204 } }
  expect(dialsFor(walked, [walked]).at(-1)).toBe("Activity 9,204 steps")
  expect(dialsFor({ ...FULL, strain: null }, [{ ...FULL, strain: null }])).toHaveLength(2)
})

test("a device without scores has a dial of the time asleep alone", () => {
  const night = { ...NIGHT, source: "apple_health", performance: null, need_hours: null }
  expect(dialsFor({ ...NO_DAY, sleep: night })).toEqual(["Sleep 7 h 29 asleep"])
})

test("a ring is never full for a short night: without a need or a usual night it is empty", () => {
  const short = { ...NIGHT, source: "apple_health", performance: null, need_hours: null, asleep_hours: 1.5 }
  const fractionOf = (day: TrendDay) =>
    dialsOf(inputOf(day, { before: [] })).find(({ title }) => title === "Sleep")?.fraction
  expect(fractionOf({ ...NO_DAY, sleep: short })).toBe(0)
  expect(fractionOf({ ...NO_DAY, sleep: { ...short, need_hours: 8 } })).toBeCloseTo(0.19, 2)
  expect(fractionOf({ ...NO_DAY, sleep: short, asleep_band: { low: 7, high: 8 } })).toBe(0.2)
})

test("a figure and its unit stay on one line", () => {
  expect(unbroken("Recovery 88 %. You slept 7 h 29 min, 30 minutes less.").replaceAll("\u00a0", "_")).toBe(
    "Recovery 88_%. You slept 7_h_29_min, 30_minutes less.",
  )
})
