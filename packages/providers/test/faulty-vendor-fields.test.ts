// A faulty number in every record of Polar, Withings and Google Health, as their simulators send them: it costs itself alone.
import { startGoogleHealthSimulator, startPolarSimulator, startWithingsSimulator } from "@restwell/simulator"
import { expect, test } from "vitest"
import { readGoogleRecords } from "../src/google-health/normalize.ts"
import {
  createGoogleHealthAdapter,
  createPolarAdapter,
  createWithingsAdapter,
  type Json,
  type OauthAdapter,
  type RecordKind,
} from "../src/index.ts"
import type { ReadRecords } from "../src/normalize/read-records.ts"
import { readPolarRecords } from "../src/polar/normalize.ts"
import { readWithingsRecords } from "../src/withings/normalize.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { expectFieldsAlone, type Outcome, plainOf } from "./faulty-fields.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const DAY_MS = 86_400_000
const LENA = "lena@example.com"
const OPTIONS = { seed: 7, now: NOW, days: 20, autoApprove: true } as const
const KINDS = ["sleep", "recovery", "workout", "cycle"] as const

function outcomeOf({ records, rejected }: ReadRecords): Outcome {
  expect(rejected).toEqual([])
  return {
    records: records.map(plainOf),
    leftOut: records.flatMap(({ leftOut = [] }) => leftOut.map(({ field, reason }) => `${field}: ${reason}`)),
  }
}

/** Returns the payload of a kind that has most to read, without its values within the night: those are tested as samples. */
async function payloadOf(adapter: Pick<OauthAdapter, "fetchPage">, token: string, kind: RecordKind): Promise<Json> {
  const from = new Date(NOW.getTime() - 15 * DAY_MS)
  const { records } = await adapter.fetchPage(token, { kind, from, to: NOW })
  const texts = records.flatMap((record) =>
    "scoreState" in record && record.scoreState === "scored" ? [JSON.stringify(record.raw, withoutSamples)] : [],
  )
  const [longest] = texts.toSorted((one, other) => other.length - one.length)
  if (longest === undefined) throw new Error(`there is no ${kind}`)
  return JSON.parse(longest)
}

const SAMPLES = new Set(["hypnogram", "heart_rate_samples", "stages"])
function withoutSamples(name: string, value: unknown) {
  if (name === "sleep_details") return { series: [] }
  return SAMPLES.has(name) ? undefined : value
}

/** What a row of Withings is and of when. */
const ROW = ["id", "startdate", "enddate", "model", "category"]
/** What a zone of heart rates is, and offsets by which a day is placed. */
const ZONES = [0, 1, 2, 3, 4].map((index) => `exercise.heart_rate_zones.${index}.index`)
const OFFSETS = ["sleep.start_utc_offset_minutes", "sleep.end_utc_offset_minutes"]
/** Dates that a point is of. */
const DATES = [
  "daily-respiratory-rate.dailyRespiratoryRate.date",
  "daily-heart-rate-variability.dailyHeartRateVariability.date",
  "daily-resting-heart-rate.dailyRestingHeartRate.date",
  "daily-sleep-temperature-derivations.dailySleepTemperatureDerivations.date",
  "daily-oxygen-saturation.dailyOxygenSaturation.date",
  "steps.civilStartTime.date",
  "distance.civilStartTime.date",
  "active-energy-burned.civilStartTime.date",
  "total-calories.civilStartTime.date",
].flatMap((date) => ["year", "month", "day"].map((part) => `${date}.${part}`))

const VENDORS = [
  {
    name: "Polar",
    start: () => startPolarSimulator({ ...OPTIONS, rateLimits: "off", registeredSince: new Date(0) }),
    create: createPolarAdapter,
    read: readPolarRecords,
    essential: ["exercise.id", "exercise.start_time_utc_offset", ...ZONES, ...OFFSETS],
  },
  {
    name: "Withings",
    start: () => startWithingsSimulator({ ...OPTIONS, rateLimits: "off" }),
    create: createWithingsAdapter,
    read: readWithingsRecords,
    essential: [...ROW, ...ROW.map((field) => `sleep.${field}`), "spo2.date", "spo2.percent"],
  },
  {
    name: "Google Health",
    start: () => startGoogleHealthSimulator({ ...OPTIONS, callsPerMinute: "off" as const }),
    create: createGoogleHealthAdapter,
    read: readGoogleRecords,
    essential: DATES,
  },
] as const

test.each(VENDORS)("a wrong number of $name costs this number alone", async ({ start, create, read, essential }) => {
  const simulator = await start()
  try {
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
      create({ ...options, now: () => NOW }),
    )
    const { accessToken } = await connect(adapter, LENA)
    for (const kind of KINDS) {
      const source = await payloadOf(adapter, accessToken, kind)
      const figures = await expectFieldsAlone<Json>({
        source,
        read: (raw) => outcomeOf(read(kind, [raw], NOW)),
        essential,
        // Google writes numbers as texts.
        noText: null,
      })
      expect(figures, kind).toBeGreaterThan(0)
    }
  } finally {
    await simulator.close()
  }
})
