// Sleep as Android's export of a simulated person, who wore a ring that was paired with the program.
import { HOUR_MS, MINUTE_MS } from "../model/calendar.ts"
import type { OuraRecords, WireOuraSleep } from "../oura/records/wire.ts"
import { type ZipContent, zipOf } from "./zip.ts"

const PHASE_MS = 5 * MINUTE_MS
const NAMES: Readonly<Record<string, string>> = { "1": "DEEP", "2": "LIGHT", "3": "REM", "4": "AWAKE" }

const msOf = (text: string): number => Date.parse(text)

const hoursOf = (text: string): number => Number(/([+-]\d\d):\d\d$/.exec(text)?.[1] ?? 0)

/** `18. 11. 2026 6:45` */
function clockOf(ms: number, hours: number): string {
  const local = new Date(ms + hours * HOUR_MS).toISOString()
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(local) ?? []
  return `${day}. ${month}. ${year} ${Number(hour)}:${minute}`
}

function zoneOf(text: string): string {
  const hours = hoursOf(text)
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours < 0 ? "+" : "-"}${Math.abs(hours)}`
}

/** The header and the line of each sleep. */
export function sleepAsAndroidLines(records: OuraRecords): readonly string[] {
  const sleeps = records.sleep.filter(({ type, sleep_phase_5_min: phases }) => type === "long_sleep" && phases)
  return sleeps.flatMap((sleep, index) => linesOf(sleep, index))
}

/** Each second night has decimal commas and a line of noise levels. */
function linesOf(sleep: WireOuraSleep, index: number): string[] {
  const { bedtime_start: start, bedtime_end: end, sleep_phase_5_min: phases } = sleep
  const asleep = (phases ?? "").replaceAll("4", "").length
  const hours = ((asleep * PHASE_MS) / HOUR_MS).toFixed(3)
  const events = [...stages(sleep), ...beats(sleep)]
  const header = [
    ..."Id Tz From To Sched Hours Rating Comment Framerate Snore Noise Cycles DeepSleep LenAdjust Geo".split(" "),
    "22:15",
    "22:20",
    ...events.map(() => "Event"),
  ]
  const cells = [
    `${msOf(start)}`,
    zoneOf(start),
    clockOf(msOf(start), hoursOf(start)),
    // A zone of one offset has no change of clocks.
    clockOf(msOf(end), hoursOf(start)),
    "",
    index % 2 === 0 ? hours : hours.replace(".", ","),
    "0.0",
    "#home with a secret",
    "10000",
    "-1",
    "-1.0",
    "-1",
    "-1.0",
    "0",
    "",
    "1.5",
    "0.2",
    ...events,
  ]
  const line = cells.map((cell) => `"${cell}"`).join(",")
  return [header.join(","), line, ...(index % 2 === 0 ? [] : [`${",".repeat(16)}0.1,0.2`])]
}

function stages({ bedtime_start: start, sleep_phase_5_min: phases }: WireOuraSleep): string[] {
  let ms = msOf(start)
  return ((phases ?? "").match(/(.)\1*/g) ?? []).flatMap((run) => {
    const [name, from] = [NAMES[run[0] ?? ""] ?? "LIGHT", ms]
    ms += run.length * PHASE_MS
    return [`${name}_START-${from}`, `${name}_END-${ms}`]
  })
}

/** A heart rate and a saturation an hour. */
const beats = ({ bedtime_start: start, heart_rate: rate }: WireOuraSleep): string[] =>
  (rate?.items ?? []).flatMap((value, index) =>
    value === null || index % (HOUR_MS / PHASE_MS) !== 0
      ? []
      : [`HR-${msOf(start) + index * PHASE_MS}-${value}`, `SPO2-${msOf(start) + index * PHASE_MS}-96`],
  )

export const sleepAsAndroidFile = (lines: readonly string[]): ZipContent => ({
  name: "sleep-export.csv",
  bytes: Buffer.from(`${lines.join("\n")}\n`),
})

/** The export as a zip file. */
export const sleepAsAndroidArchive = (lines: readonly string[]): Buffer =>
  zipOf([
    sleepAsAndroidFile(lines),
    { name: "prefs.xml", bytes: Buffer.from("<map/>") },
    { name: "alarms.json", bytes: Buffer.from("[]") },
  ])
