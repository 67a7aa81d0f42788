/* Everyday questions of a person with a band and a ring, and then with the archive of a watch, that of a phone and a scale beside them. */
import type { OuraRecords } from "@restwell/simulator"
import { archivesOf } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"
import { newToken, pushed } from "../pushes/pusher.ts"
import { daysBack, last, NOW, of, TODAY } from "./everyday-figures.ts"
import { highestOf, meanOf, rounded, type Truth, truthOf, type Values } from "./everyday-truth.ts"

const YESTERDAY = daysBack(1)
const WEIGHT = 61.8

let service: TestService
let member: Member
let token: string
let band: Truth
let ring: Ring
let archives: ReturnType<typeof archivesOf>
beforeAll(async () => {
  service = await startTestService({ days: 120, now: new Date(NOW), isStill: true, vendor: "oura" })
  const person = service.simulator.people.add({ email: "ada@example.com", days: 120 })
  ;({ member } = await Member.connected(service, person))
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  token = (await connectAssistant(service, member)).access_token
  const [ofBand, ofRing] = [service.simulator.records(person), service.simulatorOf("oura").records(person)]
  band = truthOf(ofBand)
  ring = ringOf(ofRing)
  archives = archivesOf(ofBand, ofRing)
})
afterAll(() => service.close())

/** What the ring measured, by date. */
interface Ring {
  readonly asleep: Values
  readonly hrv: Values
  readonly readiness: Values
  readonly steps: Values
}

function ringOf({ sleep, daily_readiness, daily_activity }: OuraRecords): Ring {
  const nights = sleep.filter(({ type }) => type === "long_sleep")
  const values = (entries: readonly (readonly [string, number | null])[]): Values =>
    new Map(entries.flatMap(([date, value]): [string, number][] => (value === null ? [] : [[date, value]])))
  return {
    asleep: values(
      nights.map(({ day, total_sleep_duration: seconds }) => [day, seconds === null ? null : seconds / 3600]),
    ),
    hrv: values(nights.map(({ day, average_hrv }) => [day, average_hrv])),
    readiness: values(daily_readiness.map(({ day, score }) => [day, score])),
    steps: values(daily_activity.map(({ day, steps }) => [day, steps])),
  }
}

async function textOf(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { isError, content } = await callTool(service, token, tool, input)
  expect(isError, content[0]?.text).toBeFalsy()
  return content[0]?.text ?? ""
}

interface Asked {
  readonly ask: string
  readonly tool: string
  readonly input?: Readonly<Record<string, unknown>>
  /** What the answer says. */
  facts(): readonly string[]
}

/** They have the same answers however many sources come later. */
const QUESTIONS: readonly Asked[] = [
  {
    ask: "How recovered am I, and who says so?",
    tool: "get_today",
    facts: () => [`recovery_score ${of(ring.readiness, TODAY)} from oura`, `hrv ${of(ring.hrv, TODAY)} ms from oura`],
  },
  {
    ask: "What does the band say?",
    tool: "get_recovery",
    input: { days: 1, source: "whoop" },
    facts: () => [`score ${of(band.recovery, TODAY)}, hrv ${rounded(of(band.hrv, TODAY), 1)}`],
  },
  {
    ask: "Which device says I slept longer last night?",
    tool: "get_sleep",
    input: { days: 1, source: "all" },
    facts: () => [
      `asleep ${rounded(of(ring.asleep, TODAY), 2)}`,
      `asleep ${rounded(of(band.asleep, TODAY), 2)}`,
      "from oura",
      "from whoop (not chosen)",
    ],
  },
  {
    ask: "How many steps did I take yesterday?",
    tool: "get_trend",
    input: { metric: "steps", days: 2 },
    facts: () => [`${of(ring.steps, YESTERDAY)} on ${YESTERDAY}`, "From oura"],
  },
  {
    ask: "Why does my day have no steps?",
    tool: "get_cycles",
    input: { days: 2 },
    facts: () => ["oura has steps", "Ask with source to read them"],
  },
  {
    ask: "What was my highest heart rate in a workout this month, and of which device is it?",
    tool: "get_trend",
    input: { metric: "workout_max_heart_rate", days: 18, source: "whoop" },
    facts: () => {
      const rates = band.workouts.flatMap(({ date, highestHeartRate: rate }): [string, number][] =>
        rate === undefined || date >= TODAY ? [] : [[date, rate]],
      )
      const { date, value } = highestOf(last(new Map(rates.toReversed()), 18), 0)
      return [`${value} on ${date}`, "From whoop"]
    },
  },
  {
    ask: "What is my HRV by the ring alone?",
    tool: "get_trend",
    input: { metric: "HRV", days: 30, source: "oura" },
    facts: () => [`mean ${rounded(meanOf(last(ring.hrv, 30)), 1)}`, "(rmssd)", "From oura"],
  },
  {
    ask: "How did I sleep next week?",
    tool: "get_sleep",
    input: { start_date: daysBack(-2), end_date: daysBack(-7) },
    facts: () => [`${daysBack(-2)} is in the future: today is ${TODAY}`],
  },
  {
    ask: "How did I sleep before I had any device?",
    tool: "get_sleep",
    input: { start_date: "2020-01-01", end_date: "2020-01-05" },
    facts: () => ["before your data begin"],
  },
]

describe.each([
  ["a band and a ring", async () => {}],
  [
    "a watch's and a phone's archive and a scale beside them",
    async () => {
      for (const archive of [archives.garmin, archives.apple])
        expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
      const scale = { type: "weight", start: `${TODAY}T07:00:00Z`, value: WEIGHT, unit: "kg", source: "Scale" }
      const { token: phone } = await newToken(member)
      expect(await pushed(service, { records: [scale] }, { token: phone })).toMatchObject({ stored: 1 })
    },
  ],
])("%s", (_name, bring) => {
  beforeAll(bring)

  test.each(QUESTIONS.map((question) => [question.ask, question] as const))("%s", async (_ask, asked) => {
    const text = await textOf(asked.tool, asked.input)
    for (const fact of asked.facts()) expect(text).toContain(fact)
  })
})

test("each of four devices answers with its own figures, and an archive says of which date it is", async () => {
  for (const [source, from] of [
    ["whoop", "From whoop, synced"],
    ["oura", "From oura, synced"],
    ["garmin", `From garmin, from an archive of ${TODAY}`],
    ["apple_health", `From apple_health, from an archive of ${TODAY}`],
  ] as const) {
    const text = await textOf("get_sleep", { days: 1, source })
    expect(text).toContain(from)
    expect(text).toContain(`asleep ${rounded(of(source === "whoop" ? band.asleep : ring.asleep, TODAY), 2)}`)
  }
})

test("scores are points of a ring and percentages of a band, in every text", async () => {
  const texts = (source: string) =>
    Promise.all([
      textOf("get_summary", { days: 30, source }),
      textOf("get_recovery", { days: 3, source }),
      textOf("get_sleep", { days: 3, source }),
      textOf("find_relations", { outcome: "recovery_score", factor: "asleep", days: 90, source }),
      textOf("get_sports", { days: 90, source }),
    ])
  const ofRing = (await texts("oura")).join("\n")
  expect(ofRing).toMatch(/scored days: score \d/)
  expect(ofRing).toMatch(/awake h [\d.]+, performance \d/)
  expect(ofRing).toContain("Recovery: date, score, HRV ms")
  expect(ofRing).toContain("then performance, % efficiency, consistency")
  expect(ofRing).toMatch(/next day's recovery [\d.]+ \(n /)
  expect(ofRing).toMatch(/\(n \d+, sd [\d.]+\)/)
  expect(ofRing).not.toContain("percentage points")
  const ofBand = (await texts("whoop")).join("\n")
  for (const text of ["score %", "performance %", "% performance, efficiency", "percentage points"])
    expect(ofBand).toContain(text)
  expect(ofBand).toMatch(/next day's recovery [\d.]+ % \(n /)
  const both = await textOf("get_recovery", { days: 1, source: "all" })
  expect(both).toContain("Recovery: date, score, HRV ms")
  expect(both).toContain(`score ${of(band.recovery, TODAY)} %,`)
  expect(both).toContain(`score ${of(ring.readiness, TODAY)},`)
})

test("a weight is told with the device that measured it", async () => {
  expect(await textOf("get_series", { type: "weight", days: 1 })).toContain(`${WEIGHT} phone`)
  expect(await textOf("get_trend", { metric: "weight", days: 30 })).toContain(
    "1 day that only phone recorded is left out",
  )
})
