// What Google Health answers: sums of days on several pages, days of zeros, and days that begin before the date in UTC.
// https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints/dailyRollUp
import {
  type GoogleHealthSimulator,
  type GoogleHealthSimulatorOptions,
  startGoogleHealthSimulator,
} from "@restwell/simulator"
import { expect, test } from "vitest"
import { createGoogleHealthAdapter, type NormalizedRecord } from "../src/index.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
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
