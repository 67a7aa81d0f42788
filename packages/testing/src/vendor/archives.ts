import {
  appleArchive,
  appleRows,
  gadgetbridgeArchive,
  gadgetbridgeTables,
  garminArchive,
  garminRows,
  healthConnectArchive,
  healthConnectTables,
  type OuraRecords,
  sleepAsAndroidArchive,
  sleepAsAndroidLines,
  takeoutArchive,
  takeoutRows,
  type WireRecords,
  type ZipContent,
  zipOf,
} from "@restwell/simulator"
import { whoopArchive } from "./whoop-archive.ts"

export * from "./whoop-archive.ts"

/** An archive of every vendor: WHOOP's of a band, and the others of what a ring recorded, as their devices would have recorded it. */
export const archivesOf = (band: WireRecords, ring: OuraRecords) => ({
  whoop: whoopArchive(band),
  oura: ouraArchive(ring),
  garmin: garminArchive(garminRows(ring)),
  takeout: takeoutArchive(takeoutRows(ring)),
  apple: appleArchive(appleRows(ring)),
  health_connect: healthConnectArchive(healthConnectTables(ring)),
  gadgetbridge: gadgetbridgeArchive(gadgetbridgeTables(ring)),
  sleep_as_android: sleepAsAndroidArchive(sleepAsAndroidLines(ring)),
})

// Oura's data export of a simulated person, written as the Membership Hub writes it.

export interface OuraArchiveVariant {
  /** @default ";" */
  readonly delimiter?: ";" | ","
  /** JSON in cells is quoted as any other text, or stands as it is. @default "quoted" */
  readonly json?: "quoted" | "plain"
  /** Names of exports of different ages. @default "model" */
  readonly names?: "model" | "dated"
  /** @default "\n" */
  readonly lineEnd?: "\n" | "\r\n"
}

const NAMES = {
  sleep: ["sleepmodel", "sleep"],
  daily_sleep: ["dailysleep", "dailysleep"],
  daily_readiness: ["dailyreadiness", "dailyreadiness"],
  daily_spo2: ["dailyspo2", "dailyspo2"],
  daily_activity: ["dailyactivity", "dailyactivity"],
  workout: ["workout", "workout"],
  enhanced_tag: ["enhancedtag", "tag"],
} as const satisfies Partial<Record<keyof OuraRecords, readonly [string, string]>>
const HEART_RATE = ["heartrate", "heartrate"] as const
/** Tables of a real export that Restwell does not read. */
const UNREAD = [
  {
    names: ["dailystress", "dailystress"],
    rows: [{ id: "stress-1", day: "2026-11-02", day_summary: "normal", recovery_high: 900, stress_high: 1_800 }],
  },
  {
    names: ["session", "session"],
    rows: [{ id: "session-1", day: "2026-11-02", type: "meditation", mood: "good", heart_rate: null }],
  },
] as const

export type OuraTables = Readonly<Record<keyof typeof NAMES, readonly object[]>> & {
  /** Most of the bytes of a real export. @default none */
  readonly heartrate?: readonly object[]
}
const OURA_TABLES = [
  "sleep",
  "daily_sleep",
  "daily_readiness",
  "daily_spo2",
  "daily_activity",
  "workout",
  "enhanced_tag",
] as const satisfies readonly (keyof typeof NAMES)[]

/** The archive as a zip file. */
export const ouraArchive = (records: OuraTables, variant: OuraArchiveVariant = {}): Buffer =>
  zipOf(ouraFiles(records, variant))

/** The tables of an archive. */
export function ouraFiles(records: OuraTables, variant: OuraArchiveVariant = {}): ZipContent[] {
  const { names = "model" } = variant
  const tables = OURA_TABLES.map((collection) => ({ names: NAMES[collection], rows: records[collection] }))
  return [...tables, ...UNREAD, { names: HEART_RATE, rows: records.heartrate ?? [] }].map(
    ({ names: [model, dated], rows }) => ({
      name: names === "model" ? `App Data/${model}.csv` : `${dated}_2016-01-01_2026-12-31.csv`,
      bytes: Buffer.from(tableOf(rows, variant)),
    }),
  )
}

/** Documents of the API have `meta`, those of the export have not. */
function tableOf(documents: readonly object[], variant: OuraArchiveVariant): string {
  const { delimiter = ";", lineEnd = "\n" } = variant
  const columns = [...new Set(documents.flatMap((document) => Object.keys(document)))].filter((name) => name !== "meta")
  const rows = documents.map((document) =>
    columns.map((column) => cellOf(Reflect.get(document, column), variant)).join(delimiter),
  )
  return `${[columns.join(delimiter), ...rows].join(lineEnd)}${lineEnd}`
}

function cellOf(value: unknown, { delimiter = ";", json = "quoted" }: OuraArchiveVariant): string {
  if (value === null || value === undefined) return ""
  const isJson = typeof value === "object"
  const text = isJson ? JSON.stringify(value) : String(value)
  if (isJson && json === "plain" && delimiter === ";") return text
  return text.includes('"') || text.includes(delimiter) || text.includes("\n")
    ? `"${text.replaceAll('"', '""')}"`
    : text
}
