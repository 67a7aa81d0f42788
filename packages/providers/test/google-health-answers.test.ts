// What Google Health answers: sums of days on several pages, days of zeros, and days that begin before the date in UTC.
// https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints/dailyRollUp
import {
  type GoogleHealthSimulator,
  type GoogleHealthSimulatorOptions,
  startGoogleHealthSimulator,
} from "@restwell/simulator"
import { expect, test } from "vitest"
import { AppRefused, createGoogleHealthAdapter, type NormalizedRecord, type RecordKind } from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
/** Lives in New York. */
const SAM = "sam@example.com"

async function withGoogle(
  options: GoogleHealthSimulatorOptions,
  use: (simulator: GoogleHealthSimulator) => Promise<void>,
): Promise<void> {
  const defaults = { seed: 7, now: NOW, days: 40, autoApprove: true, callsPerMinute: "off" } as const
  const simulator = await startGoogleHealthSimulator({ ...defaults, ...options })
  try {
    await use(simulator)
  } finally {
    await simulator.close()
  }
}

async function readDays(simulator: GoogleHealthSimulator, from: Date): Promise<readonly NormalizedRecord[]> {
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createGoogleHealthAdapter({ ...options, now: () => NOW }),
  )
  const { accessToken } = await connect(adapter, SAM)
  return (await adapter.fetchPage(accessToken, { kind: "cycle", from })).records
}

const datesOf = (days: readonly NormalizedRecord[]): string[] => days.map(({ providerId }) => providerId)

test("days are the same where their sums come on several pages", async () => {
  const from = new Date("2026-10-20T00:00:00Z")
  let whole: readonly NormalizedRecord[] = []
  await withGoogle({}, async (simulator) => {
    whole = await readDays(simulator, from)
  })
  expect(whole.length).toBeGreaterThan(20)
  await withGoogle({ sumsOfAPage: 7 }, async (simulator) => expect(await readDays(simulator, from)).toEqual(whole))
})

test("a day of which every sum is zero is none, and one with a single sum is one", () =>
  withGoogle({}, async (simulator) => {
    const nothing = { steps: 0, distanceMillimeters: 0, activeKcal: 0, totalKcal: 1_600 }
    simulator.edit.days.put(SAM, { date: "2026-11-15", ...nothing })
    simulator.edit.days.put(SAM, { date: "2026-11-16", ...nothing, activeKcal: 12.5 })
    const dates = datesOf(await readDays(simulator, new Date("2026-11-10T12:00:00Z")))
    expect(dates).toContain("2026-11-14")
    expect(dates).toContain("2026-11-16")
    expect(dates).not.toContain("2026-11-15")
  }))

test("a day that goes on at an instant is of its period, though its date is the one before that in UTC", () =>
  withGoogle({}, async (simulator) => {
    // 21 o'clock on 14 November in New York.
    const dates = datesOf(await readDays(simulator, new Date("2026-11-15T02:00:00Z")))
    expect(dates.at(-1)).toBe("2026-11-14")
  }))

test.each(["sleep", "workout"] as const)(
  "the newest %s is found on a page after an empty one, and after younger ones",
  (kind) =>
    withGoogle({ days: 200 }, async (simulator) => {
      const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
        createGoogleHealthAdapter({ ...options, now: () => NOW }),
      )
      const { accessToken } = await connect(adapter, SAM)
      const all = (await adapter.fetchPage(accessToken, { kind })).records
      expect(all.length).toBeGreaterThan(60)
      for (const to of [NOW, new Date("2026-09-01T00:00:00Z")]) {
        const { records } = await adapter.fetchPage(accessToken, { kind, to, limit: 1 })
        const newest = all.find((record) => record.kind === kind && record.startMs < to.getTime())
        expect(records[0]?.providerId).toBe(newest?.providerId)
      }
    }),
)

/** As Google writes refusals. https://google.aip.dev/193 */
const refusal = (code: number, ...details: readonly object[]) =>
  JSON.stringify({ error: { code, message: "Refused", status: "PERMISSION_DENIED", details } })
const ENABLE = "https://console.developers.google.com/apis/api/health.googleapis.com/overview?project=123456789"
const DISABLED = { reason: "SERVICE_DISABLED", domain: "googleapis.com" }

test.each([
  ["beside the reason", [{ ...DISABLED, metadata: { service: "health.googleapis.com", activationUrl: ENABLE } }]],
  [
    "in links",
    [{ ...DISABLED, metadata: { consumer: "projects/1" } }, { links: [{ url: ENABLE, description: "Go" }] }],
  ],
])("an API that is not enabled is told with the address that enables it, %s", (_where, details) =>
  withGoogle({}, async (simulator) => {
    simulator.faults.add({ kind: "status", status: 403, body: refusal(403, ...details), match: { path: /^\/v4/ } })
    const error = await rejection(readDays(simulator, new Date("2026-11-10T12:00:00Z")))
    expect(error).toBeInstanceOf(AppRefused)
    expect(error).toMatchObject({ message: expect.stringContaining(ENABLE) })
  }),
)

test("an account that is not linked to Google Health is told what it lacks", () =>
  withGoogle({}, async (simulator) => {
    const body = refusal(400, { reason: "ACCOUNT_NOT_LINKED", domain: "googleapis.com" })
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), createGoogleHealthAdapter)
    const { accessToken } = await connect(adapter, SAM)
    simulator.faults.add({ kind: "status", status: 400, body, match: { path: /^\/v4/ } })
    expect(await rejection(adapter.fetchProfile(accessToken))).toMatchObject({
      name: "RequestRefused",
      advice: {
        reason: expect.stringContaining("not linked"),
        nextStep: expect.stringMatching(/^Open the Fitbit app/),
      },
    })
  }))

test("a refusal that names the missing scope in its header alone is a missing scope, not a grant that Google no longer honours", () =>
  withGoogle({}, async (simulator) => {
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), createGoogleHealthAdapter)
    const { accessToken } = await connect(adapter, SAM)
    const headers = { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"' }
    simulator.faults.add({ kind: "status", status: 403, body: refusal(403), headers, match: { path: /^\/v4/ } })
    expect(await rejection(adapter.fetchProfile(accessToken))).toMatchObject({
      name: "RequestRefused",
      isForbidden: true,
      advice: undefined,
    })
  }))

test("a person's id is the same as a text and as a number", () =>
  withGoogle({}, async (simulator) => {
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), createGoogleHealthAdapter)
    const { accessToken } = await connect(adapter, SAM)
    const { data } = await adapter.fetchProfile(accessToken)
    simulator.faults.add({
      kind: "transform",
      match: { path: /\/identity$/ },
      transform: (identity) => ({ ...Object(identity), healthUserId: Number(data.providerId) }),
    })
    expect((await adapter.fetchProfile(accessToken)).data).toEqual(data)
  }))

interface SleepPoint {
  readonly name: string
  readonly sleep: {
    readonly interval: { readonly startTime: string; readonly endTime: string }
    readonly metadata?: { readonly mainSleep?: boolean }
  }
}

/** Reads the sleeps of some days, of which Google lists what `change` makes of each. */
async function readSleeps(simulator: GoogleHealthSimulator, change: (point: SleepPoint) => readonly object[]) {
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createGoogleHealthAdapter({ ...options, now: () => NOW }),
  )
  const { accessToken } = await connect(adapter, SAM)
  simulator.faults.add({
    kind: "transform",
    match: { path: /\/dataTypes\/sleep\/dataPoints/ },
    transform: (answer) => ({ ...Object(answer), dataPoints: Object(answer).dataPoints.flatMap(change) }),
  })
  const window = { from: new Date("2026-11-05T00:00:00Z"), to: new Date("2026-11-18T00:00:00Z") }
  const { records } = await adapter.fetchPage(accessToken, { kind: "sleep", ...window })
  expect(records.length).toBeGreaterThan(5)
  return records
}

test("a night without stages has no samples, so that those of its older version do not stay", () =>
  withGoogle({}, async (simulator) => {
    const records = await readSleeps(simulator, (point) => [{ ...point, sleep: { ...point.sleep, stages: [] } }])
    for (const record of records) expect(record).toMatchObject({ kind: "sleep", samples: [] })
  }))

test.each(["mainSleep", "main"])("the sleep that %s names has the figures of its date, not the longest", (name) =>
  withGoogle({}, async (simulator) => {
    const records = await readSleeps(simulator, (point) => {
      const { interval, metadata } = point.sleep
      if (metadata?.mainSleep !== true) return []
      const later = (hours: number) => new Date(Date.parse(interval.endTime) + hours * 3_600_000).toISOString()
      const longer = { interval: { ...interval, startTime: later(1), endTime: later(13) }, metadata: {}, stages: [] }
      return [
        { ...point, sleep: { ...point.sleep, metadata: { [name]: true } } },
        { ...point, name: `${point.name}1`, sleep: longer },
      ]
    })
    const rated = records.filter((one) => one.kind === "sleep" && one.respiratoryRatePerMinute !== undefined)
    expect(rated.length).toBeGreaterThan(5)
    for (const one of rated) expect(one.raw).toMatchObject({ sleep: { sleep: { metadata: { [name]: true } } } })
  }),
)

/** Reads records of some days, with every point of a list replaced by what `change` makes of it. */
async function readChanged(
  simulator: GoogleHealthSimulator,
  { kind, type }: { readonly kind: RecordKind; readonly type: string },
  change: (point: object) => readonly object[],
): Promise<readonly NormalizedRecord[]> {
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createGoogleHealthAdapter({ ...options, now: () => NOW }),
  )
  const { accessToken } = await connect(adapter, SAM)
  const repair = simulator.faults.add({
    kind: "transform",
    match: { path: new RegExp(`/dataTypes/${type}/dataPoints`) },
    transform: (answer) => ({ ...Object(answer), dataPoints: Object(answer).dataPoints.flatMap(change) }),
  })
  const window = { from: new Date("2026-11-05T00:00:00Z"), to: new Date("2026-11-18T00:00:00Z") }
  const { records } = await adapter.fetchPage(accessToken, { kind, ...window })
  repair()
  return records
}

const withFields = (point: object, name: string, fields: object): object => ({
  ...point,
  [name]: { ...Reflect.get(point, name), ...fields },
})

const madeBy = (calculationMethod: string) => ({ dailyRestingHeartRateMetadata: { calculationMethod } })

test.each([
  {
    type: "daily-heart-rate-variability",
    name: "dailyHeartRateVariability",
    field: "hrvMs",
    empty: { averageHeartRateVariabilityMilliseconds: 0 },
    given: {},
  },
  {
    type: "daily-resting-heart-rate",
    name: "dailyRestingHeartRate",
    field: "restingHeartRateBpm",
    empty: { beatsPerMinute: undefined, ...madeBy("WITH_SLEEP") },
    given: madeBy("ONLY_WITH_AWAKE_DATA"),
  },
  {
    type: "daily-oxygen-saturation",
    name: "dailyOxygenSaturation",
    field: "spo2Percent",
    empty: { averagePercentage: 0 },
    given: {},
  },
])("of two points of a date in $type the one with a figure counts", ({ type, name, field, empty, given }) =>
  withGoogle({}, async (simulator) => {
    const read = async (change: (points: { readonly own: object; readonly without: object }) => readonly object[]) => {
      const records = await readChanged(simulator, { kind: "recovery", type }, (point) =>
        change({ own: withFields(point, name, given), without: withFields(point, name, empty) }),
      )
      return records.map((record) => Reflect.get(record, field))
    }
    const whole = await read(({ own }) => [own])
    expect(whole.filter((figure) => figure !== undefined).length).toBeGreaterThan(5)
    expect(await read(({ own, without }) => [without, own])).toEqual(whole)
    expect(await read(({ own, without }) => [own, without])).toEqual(whole)
  }),
)

test.each([
  ["sleep", "sleep"],
  ["workout", "exercise"],
] as const)("a %s without times of its change that ends earlier after an edit is no older version", (kind, type) =>
  withGoogle({}, async (simulator) => {
    const read = (shorterMs: number) =>
      readChanged(simulator, { kind, type }, (point) => {
        const { interval } = Reflect.get(point, type)
        const endTime = new Date(Date.parse(interval.endTime) - shorterMs).toISOString()
        const times = { createTime: undefined, updateTime: undefined }
        return [withFields(point, type, { interval: { ...interval, endTime }, ...times })]
      })
    const [before, after] = [await read(0), await read(60_000)]
    const edited = new Map(after.map((record) => [record.providerId, record]))
    expect(before.length).toBeGreaterThan(1)
    for (const record of before) {
      const other = edited.get(record.providerId)
      expect(other?.raw).not.toEqual(record.raw)
      expect(other?.updatedMs).toBeGreaterThanOrEqual(record.updatedMs)
    }
  }),
)

test.each(["sleep", "workout"] as const)("the newest %s is looked for in the last ten years", (kind) =>
  withGoogle({}, async (simulator) => {
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
      createGoogleHealthAdapter({ ...options, now: () => NOW }),
    )
    const { accessToken } = await connect(adapter, SAM)
    simulator.requestLog.clear()
    await adapter.fetchPage(accessToken, { kind, to: new Date("2022-01-01T00:00:00Z"), limit: 1 })
    const [look] = simulator.requestLog.filter({ path: /dataPoints/ })
    expect(new URLSearchParams(look?.query).get("filter")).toContain('>= "2016-11-')
    simulator.requestLog.clear()
    const older = { kind, to: new Date("2016-01-01T00:00:00Z"), limit: 1 }
    expect((await adapter.fetchPage(accessToken, older)).records).toEqual([])
    expect(simulator.requestLog.count()).toBe(0)
  }),
)
