// Rows of Garmin's export archive, and what reading them gives.
import { type GarminRows, garminArchive } from "@restwell/simulator"
import { expect } from "vitest"
import { type ArchiveItem, readVendorArchive } from "../src/index.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
export const EMPTY: GarminRows = { nights: [], health: [], days: [], readiness: [], body: [], activities: [], fit: [] }

export async function itemsOf(bytes: Buffer, timeZone = "Europe/Berlin"): Promise<ArchiveItem[]> {
  const read = async (position: number, length: number) => bytes.subarray(position, position + length)
  const archive = await readVendorArchive(
    { name: "garmin.zip", size: bytes.length, read },
    { isZip: true, now: NOW, timeZone },
  )
  expect(archive).toMatchObject({ kind: "garmin_archive", provider: "garmin", hasVendorIds: true })
  return Array.fromAsync(archive.items)
}

export const read = async (rows: Partial<GarminRows>, timeZone?: string) =>
  itemsOf(garminArchive({ ...EMPTY, ...rows }), timeZone)

export const archivedOf = (items: readonly ArchiveItem[], kind: string) =>
  items.flatMap((item) => (item.type === "record" && item.archived.record.kind === kind ? [item.archived] : []))
export const recordsOf = (items: readonly ArchiveItem[], kind: string) =>
  archivedOf(items, kind).map(({ record }) => record)
export const reasonsOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => (item.type === "ignored" ? [item.reason] : []))
export const samplesOf = (items: readonly ArchiveItem[], type: string) =>
  items.flatMap((item) => (item.type === "series" && item.set.type === type ? item.set.samples : []))

export const NIGHT = {
  calendarDate: "2026-11-18",
  sleepStartTimestampGMT: "2026-11-17T22:10:00.0",
  sleepEndTimestampGMT: "2026-11-18T06:10:00.0",
  sleepWindowConfirmationType: "ENHANCED_CONFIRMED_FINAL",
  deepSleepSeconds: 3600,
  lightSleepSeconds: 18_000,
  remSleepSeconds: 5400,
  awakeSleepSeconds: 1800,
  averageRespiration: 14,
  awakeCount: 2,
  sleepScores: { overallScore: 82 },
}
export const DAY = {
  calendarDate: "2026-11-18",
  wellnessStartTimeGmt: "2026-11-17T23:00:00.0",
  wellnessStartTimeLocal: "2026-11-18T00:00:00.0",
  wellnessEndTimeGmt: "2026-11-18T23:00:00.0",
  wellnessEndTimeLocal: "2026-11-19T00:00:00.0",
  includesWellnessData: true,
  totalSteps: 9000,
  totalDistanceMeters: 6500.5,
  totalKilocalories: 2300,
  activeKilocalories: 600,
  restingHeartRate: 51,
  currentDayRestingHeartRate: 105,
  maxHeartRate: 150,
}
export const RUN = {
  activityId: 12_345_678_901,
  activityType: "trail_running",
  sportType: "GENERIC",
  startTimeGmt: Date.parse("2026-11-18T16:00:00Z"),
  startTimeLocal: Date.parse("2026-11-18T17:00:00Z"),
  duration: 1_700_000,
  elapsedDuration: 1_800_000,
  distance: 512_345,
  calories: 360,
  avgHr: 140,
  maxHr: 171,
  hrTimeInZone_0: 60_000,
  hrTimeInZone_1: 100_000,
  hrTimeInZone_2: 200_000,
  hrTimeInZone_3: 300_000,
  hrTimeInZone_4: 400_000,
  hrTimeInZone_5: 500_000,
  hrTimeInZone_6: 40_000,
}
