// Archives as large as those of people who wore a device for ten years, and a bare pass of the parsers over the same bytes.

import { randomFillSync } from "node:crypto"
import { Readable } from "node:stream"
import { deflateRawSync } from "node:zlib"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { decodeFit } from "@restwell/providers"
import {
  appleElement,
  appleRecord,
  appleStage,
  appleXml,
  appleZone,
  type FitMessage,
  fitFile,
  fitTime,
  garminArchive,
  garminRows,
  type OuraRecords,
  oldTakeoutRows,
  tableOf,
  takeoutArchive,
  takeoutRows,
  type ZipContent,
  zipOf,
} from "@restwell/simulator"
import { JSONParser } from "@streamparser/json"
import { parse } from "csv-parse"
import { Parser } from "htmlparser2"

const MB = 1_000_000
const PIECE_BYTES = 65_536

/** An archive, and what is inside of it. */
export interface BigArchive {
  readonly fileName: string
  readonly bytes: Buffer
  /** Bytes of the unpacked files. */
  readonly unpacked: number
  /** Rows of tables and lists, elements of XML, messages of FIT files: as the bare pass counts them. */
  readonly barePass: () => Promise<number>
}

/** The dates end yesterday, so that no night is left out as one that may change. */
const startOf = (days: number): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - (days + 1) * DAY_MS

/** An even spread without randomness. */
const wave = (index: number, least: number, most: number): number => least + ((index * 7919) % (most - least))

/** Apple's export. @param mb of the XML file @param count of its rows */
export function appleOf({ mb, count, days }: { mb: number; count: number; days: number }): BigArchive {
  const first = startOf(days)
  const perDay = Math.ceil(count / days)
  const sample = bytesOf(appleDay(first, perDay, 0))
  const whole = bytesOf(appleDay(first, perDay, 1))
  // Rows with the description of the device are longer. This number of them makes the size.
  const share = Math.min(1, Math.max(0, ((mb * MB) / days - sample) / (whole - sample)))
  const pieces = Array.from({ length: days }, (_, day) =>
    Buffer.from(`${appleDay(first + day * DAY_MS, perDay, share).join("\n")}\n`),
  )
  const [head = "", end = ""] = appleXml([]).split(/(?= <ActivitySummary)/)
  const xml = Buffer.concat([Buffer.from(head), ...pieces, Buffer.from(end)])
  return {
    fileName: "export.zip",
    bytes: zipOf([{ name: "apple_health_export/export.xml", bytes: xml }]),
    unpacked: xml.length,
    barePass: async () => {
      let rows = 0
      const parser = new Parser(
        {
          onopentag(name) {
            if (name === "Record") rows += 1
          },
        },
        { xmlMode: true },
      )
      const decoder = new TextDecoder()
      for (let start = xml.indexOf("<HealthData "); start < xml.length; start += PIECE_BYTES)
        parser.write(decoder.decode(xml.subarray(start, start + PIECE_BYTES), { stream: true }))
      parser.end()
      return rows
    },
  }
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)

/** The rows of a day: a night with stages and HRV, steps of watch and phone, energy, and heart rates for the rest. */
function appleDay(startMs: number, count: number, share: number): string[] {
  const lines: string[] = []
  const add = (element: ReturnType<typeof appleRecord>) => {
    const { device, ...attributes } = element.attributes
    const hasDevice = device !== undefined && lines.length % 100 < share * 100
    lines.push(appleElement({ ...element, attributes: hasDevice ? element.attributes : attributes }))
  }
  const zone = appleZone("Europe/Berlin")
  for (let part = 0; part < 24; part += 1)
    add(
      appleStage(
        ["AsleepCore", "AsleepDeep", "AsleepREM", "Awake"][part % 4] ?? "AsleepCore",
        {
          startMs: startMs - 2 * HOUR_MS + part * 20 * MINUTE_MS,
          endMs: startMs - (100 - part * 20) * MINUTE_MS,
        },
        {},
        zone,
      ),
    )
  const beats = Array.from(
    { length: 60 },
    (_, beat) => `<InstantaneousBeatsPerMinute bpm="${wave(beat, 50, 70)}" time="00:20:${beat},80"/>`,
  ).join("\n   ")
  for (let hour = 0; hour < 6; hour += 1)
    add(
      appleRecord(
        "HeartRateVariabilitySDNN",
        { startMs: startMs + hour * HOUR_MS, endMs: startMs + (hour * 60 + 1) * MINUTE_MS },
        { unit: "ms", value: `${wave(hour, 30, 90)}` },
        `<HeartRateVariabilityMetadataList>\n   ${beats}\n  </HeartRateVariabilityMetadataList>`,
      ),
    )
  const minutes = (type: string, number: number, more: Readonly<Record<string, string>>) => {
    const lengthMs = DAY_MS / number
    for (let index = 0; index < number; index += 1)
      add(
        appleRecord(
          type,
          { startMs: startMs + index * lengthMs, endMs: startMs + (index + 0.5) * lengthMs },
          { value: `${wave(index, 1, 120)}`, ...more },
        ),
      )
  }
  minutes("RestingHeartRate", 1, { unit: "count/min", value: "52" })
  minutes("StepCount", 72, { unit: "count" })
  minutes("StepCount", 48, { unit: "count", sourceName: "Ada\u2019s iPhone" })
  minutes("DistanceWalkingRunning", 72, { unit: "km", value: "0.05" })
  minutes("ActiveEnergyBurned", Math.floor(count / 5), { unit: "Cal" })
  minutes("BasalEnergyBurned", 96, { unit: "Cal" })
  const beatsLeft = Math.max(0, count - lines.length)
  for (let index = 0; index < beatsLeft; index += 1)
    add(
      appleRecord(
        "HeartRate",
        { startMs: startMs + Math.floor((index * 86_400) / beatsLeft) * 1_000 },
        { unit: "count/min", value: `${wave(index, 45, 160)}` },
      ),
    )
  return lines
}

/**
 * Garmin's archive: a file for each night and each day, and activities that fill it.
 * @param mb of the zip file @param count of FIT files
 */
export function garminOf(records: OuraRecords, { mb, count }: { mb: number; count: number }): BigArchive {
  const rows = garminRows(records)
  const nights = rows.fit.slice(0, count)
  const days = records.daily_activity
    .slice(0, count - nights.length)
    .map(({ day }): ZipContent => ({ name: `lena@vendor.example_${Date.parse(day)}.fit`, bytes: dayFit(day) }))
  const packed = [...nights, ...days].reduce((sum, { bytes }) => sum + deflateRawSync(bytes).length, 0)
  const left = Math.max(0, count - nights.length - days.length)
  const seconds = Math.ceil(
    (mb * MB - packed) / Math.max(1, left) / (deflateRawSync(activityFit(1_000)).length / 1_000),
  )
  const activities = Array.from(
    { length: left },
    (_, index): ZipContent => ({
      name: `lena@vendor.example_${9_000_000 + index}.fit`,
      bytes: activityFit(Math.max(60, seconds)),
    }),
  )
  const fit = [...nights, ...days, ...activities]
  const lists = [rows.nights, rows.health, rows.days, rows.readiness, rows.body, rows.activities].map((list) =>
    JSON.stringify(list),
  )
  return {
    fileName: "garmin.zip",
    bytes: garminArchive({ ...rows, fit }, { fitFilesPerZip: 5_000 }),
    unpacked: [...fit.map(({ bytes }) => bytes), ...lists].reduce((sum, { length }) => sum + length, 0),
    barePass: async () => {
      let messages = 0
      for (const text of lists) messages += JSON.parse(text).length
      // Heart rate, stages, HRV summary and HRV, as the import reads them.
      const wanted = new Map([
        [55, [26, 27]],
        [275, [0]],
        [370, [1]],
        [371, [0]],
      ])
      for (const { bytes } of fit) for (const _ of decodeFit(bytes, wanted)) messages += 1
      return messages
    },
  }
}

/** A heart rate for each minute. */
function dayFit(day: string): Buffer {
  const first = fitTime(Date.parse(day))
  return fitFile(
    Array.from({ length: 1_440 }, (_, minute): FitMessage => {
      const rate = [27, 1, wave(minute, 45, 160)] as const
      return {
        number: 55,
        fields: minute === 0 ? [[253, 4, first], rate] : [[26, 2, (first + minute * 60) & 0xffff], rate],
      }
    }),
  )
}

const templates = new Map<number, Buffer>()
const RECORD_BYTES = 16
const PLACE_BYTES = 8

/** An activity with a place, a heart rate and a speed for each second. Places do not compress well. */
function activityFit(seconds: number): Buffer {
  const template = templates.getOrInsertComputed(seconds, () =>
    fitFile(
      Array.from(
        { length: seconds },
        (_, second): FitMessage => ({
          number: 20,
          fields: [
            [0, 4, 0x20000000],
            [1, 4, 0x10000000],
            [253, 4, 1_000_000_000 + second],
            [3, 1, wave(second, 90, 170)],
            [6, 2, wave(second, 2_000, 3_000)],
          ],
        }),
      ),
    ),
  )
  const bytes = Buffer.from(template)
  const places = randomFillSync(Buffer.alloc(seconds * PLACE_BYTES))
  const start = bytes.length - 2 - seconds * RECORD_BYTES
  for (let second = 0; second < seconds; second += 1)
    for (const byte of [0, 1, 4, 5])
      bytes[start + second * RECORD_BYTES + 1 + byte] = places[second * PLACE_BYTES + byte] ?? 0
  return bytes
}

const SECONDS_A_SAMPLE = 5
const SAMPLES_A_DAY = 86_400 / SECONDS_A_SAMPLE

/** Takeout in both forms, with a heart rate for each five seconds on as many days as fill it. @param mb of the unpacked files */
export function takeoutOf(records: OuraRecords, { mb }: { mb: number }): BigArchive {
  const rows = { ...takeoutRows(records), ...oldTakeoutRows(records) }
  const files = Object.entries(rows).map(([name, list]) => ({
    name,
    bytes: Buffer.from(name.endsWith(".json") ? JSON.stringify(list) : tableOf(list)),
  }))
  let size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const others: ZipContent[] = []
  // Most of them in Google's form, and a third in Fitbit's old one.
  for (const [index, { day }] of records.daily_activity.toReversed().entries()) {
    if (size >= mb * MB) break
    const file = index % 3 === 2 ? oldRates(day) : rates(day)
    size += file.bytes.length
    others.push(file)
  }
  return {
    fileName: "takeout.zip",
    bytes: takeoutArchive(rows, { others }),
    unpacked: size,
    barePass: async () => {
      let count = 0
      for (const { name, bytes } of [...files, ...others])
        count += await (name.endsWith(".csv") ? csvRows(bytes) : entries(bytes))
      return count
    },
  }
}

const rateAt = (index: number): number => 60 + Math.round(30 * Math.sin(index / 300)) + wave(index, 0, 4)

function rates(day: string): ZipContent {
  const lines = Array.from({ length: SAMPLES_A_DAY }, (_, index) => {
    const at = new Date(Date.parse(day) + index * SECONDS_A_SAMPLE * 1_000).toISOString().slice(0, 19)
    return `${at}Z,${rateAt(index)},Google Fitbit Air`
  })
  const text = `timestamp,beats per minute,data source\n${lines.join("\n")}\n`
  return { name: `Takeout/Fitbit/Physical Activity_GoogleData/heart_rate_${day}.csv`, bytes: Buffer.from(text) }
}

function oldRates(day: string): ZipContent {
  const [year, month, date] = day.slice(2).split("-")
  const list = Array.from({ length: SAMPLES_A_DAY }, (_, index) => {
    const clock = new Date(index * SECONDS_A_SAMPLE * 1_000).toISOString().slice(11, 19)
    return { dateTime: `${month}/${date}/${year} ${clock}`, value: { bpm: rateAt(index), confidence: 2 } }
  })
  return { name: `Takeout/Fitbit/Global Export Data/heart_rate-${day}.json`, bytes: Buffer.from(JSON.stringify(list)) }
}

async function csvRows(bytes: Buffer): Promise<number> {
  let count = 0
  for await (const _ of Readable.from(piecesOf(bytes)).pipe(parse({ relax_column_count: true }))) count += 1
  return count
}

async function entries(bytes: Buffer): Promise<number> {
  let count = 0
  const parser = new JSONParser({ paths: ["$.*"], keepStack: false })
  parser.onValue = () => {
    count += 1
  }
  for (const piece of piecesOf(bytes)) parser.write(piece)
  return count
}

function* piecesOf(bytes: Buffer): Generator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}
