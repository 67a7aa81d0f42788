// Rows of Google Takeout, and what reading them gives.
import { type TakeoutRows, type TakeoutVariant, takeoutArchive } from "@restwell/simulator"
import { expect } from "vitest"
import { type ArchiveItem, readVendorArchive } from "../src/index.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

export async function read(
  rows: TakeoutRows,
  variant?: TakeoutVariant,
  timeZone = "Europe/Berlin",
): Promise<ArchiveItem[]> {
  const bytes = takeoutArchive(rows, variant)
  const file = {
    name: "takeout.zip",
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  }
  const archive = await readVendorArchive(file, { isZip: true, now: NOW, timeZone })
  expect(archive).toMatchObject({ kind: "google_takeout", provider: "google_health", hasVendorIds: true })
  return Array.fromAsync(archive.items)
}

export const SLEEPS = "UserSleeps_2026-09-01.csv"
export const STAGES = "UserSleepStages_2026-09-01.csv"
export const SCORES = "UserSleepScores_2026-09-01.csv"
export const OLD_SLEEPS = "sleep-2026-09-11.json"
export const NIGHT = {
  sleep_id: "9000000000000000111",
  sleep_type: "STAGES",
  minutes_in_sleep_period: 450,
  minutes_asleep: 405,
  start_utc_offset: "+05:30",
  sleep_start: "2026-09-11T17:30:00Z",
  end_utc_offset: "+05:30",
  sleep_end: "2026-09-12T01:00:00Z",
  data_source: "DERIVED",
}
export const stage = (type: string, start: string, end: string, sleep_id = NIGHT.sleep_id) => ({
  sleep_id,
  sleep_stage_id: "1",
  sleep_stage_type: type,
  start_utc_offset: "+05:30",
  sleep_stage_start: `2026-09-${start}Z`,
  end_utc_offset: "+05:30",
  sleep_stage_end: `2026-09-${end}Z`,
})
export const NIGHT_STAGES = [
  stage("AWAKE", "11T17:30:00", "11T17:45:00"),
  stage("LIGHT", "11T17:45:00", "11T20:00:00"),
  stage("DEEP", "11T20:00:00", "11T21:30:00"),
  stage("REM", "11T21:30:00", "12T01:00:00"),
]
export const SCORE = { sleep_id: NIGHT.sleep_id, overall_score: 85.18, duration_score: -1, resting_heart_rate: 53 }
export const OLD_NIGHT = {
  logId: 50_000_000_001,
  dateOfSleep: "2026-09-12",
  startTime: "2026-09-11T23:00:30.000",
  endTime: "2026-09-12T06:30:00.000",
  duration: 26_970_000,
  minutesAsleep: 400,
  timeInBed: 449,
  efficiency: 93,
  type: "stages",
  mainSleep: true,
  levels: {
    summary: { deep: { minutes: 60 }, light: { minutes: 250 }, rem: { minutes: 90 }, wake: { minutes: 49 } },
    data: [
      { dateTime: "2026-09-11T23:00:30.000", level: "light", seconds: 3600 },
      { dateTime: "2026-09-12T00:00:30.000", level: "deep", seconds: 3600 },
      { dateTime: "2026-09-12T01:00:30.000", level: "light", seconds: 11_460 },
      { dateTime: "2026-09-12T04:11:30.000", level: "rem", seconds: 5400 },
      { dateTime: "2026-09-12T05:41:30.000", level: "wake", seconds: 2880 },
    ],
    shortData: [{ dateTime: "2026-09-11T23:30:30.000", level: "wake", seconds: 60 }],
  },
}
export const value = (timestamp: string, column: string, found: number | string, source = "Google Health App") => ({
  timestamp,
  [column]: found,
  "data source": source,
})
