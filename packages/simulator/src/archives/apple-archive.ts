// Apple Health's export of a simulated person, written as an iPhone writes it. The person wore a ring, whose documents become the rows of
// a watch. A phone and the ring's app write some of the same rows beside it.
import { HOUR_MS, MINUTE_MS } from "../model/calendar.ts"
import { randomFor } from "../model/random.ts"
import type { OuraRecords, WireOuraSleep, WireOuraWorkout } from "../oura/records/wire.ts"
import { gramsOn } from "./as-measured-by.ts"
import { type ZipContent, zipOf } from "./zip.ts"

/** An element with its attributes and the text within it. */
export interface AppleElement {
  readonly tag: "Record" | "Workout" | "ActivitySummary"
  readonly attributes: Readonly<Record<string, string>>
  /** @default "" */
  readonly within?: string
}

export interface AppleVariant {
  /** In the language of the phone. @default "export.xml" */
  readonly fileName?: string
  /** Of the DTD: the last one was written by iOS 16. @default "whole" */
  readonly dtd?: "whole" | "without a bracket" | "with one bracket too many" | "none"
  /** When it was exported, in the form of the file. */
  readonly exportDate?: string
  readonly others?: readonly ZipContent[]
}

/** With a curly apostrophe and a non-breaking space, as iPhones write it. */
const APPLE_WATCH = "Lena\u2019s Apple\u00a0Watch"
const WATCH = "Lena's Apple Watch"
const PHONE = "Lena\u2019s iPhone"
const PHASE_MS = 5 * MINUTE_MS
const WATCH_DEVICE = "<<HKDevice: 0x28330>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2>"

const msOf = (text: string): number => Date.parse(text)

/** All times have the offset of the phone at the export, whatever it was at the time. */
const appleTime = (ms: number): string =>
  `${new Date(ms + 120 * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ")} +0200`

/** A time zone with the offset of an ISO text. */
export function zoneOf(text: string): string {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  if (minutes !== undefined && minutes !== "00") return minutes === "30" ? "Asia/Kolkata" : "Asia/Kathmandu"
  return Number(hours ?? 0) === 0 ? "Etc/GMT" : `Etc/GMT${sign === "-" ? "+" : "-"}${Number(hours)}`
}

interface RowTimes {
  readonly startMs: number
  readonly endMs?: number
}

export function appleRecord(
  type: string,
  { startMs, endMs = startMs }: RowTimes,
  more: Readonly<Record<string, string>>,
  within = "",
): AppleElement {
  const long = type.startsWith("HK") ? type : `HKQuantityTypeIdentifier${type}`
  const isWatch = more["sourceName"] === undefined
  return {
    tag: "Record",
    attributes: {
      type: long,
      sourceName: APPLE_WATCH,
      sourceVersion: "9.1",
      ...(isWatch && { device: WATCH_DEVICE }),
      creationDate: appleTime(endMs),
      startDate: appleTime(startMs),
      endDate: appleTime(endMs),
      ...more,
    },
    within,
  }
}

const STAGES: Readonly<Record<string, string>> = {
  "1": "AsleepDeep",
  "2": "AsleepCore",
  "3": "AsleepREM",
  "4": "Awake",
}

export const appleStage = (name: string, times: RowTimes, more: Readonly<Record<string, string>> = {}, within = "") =>
  appleRecord(
    "HKCategoryTypeIdentifierSleepAnalysis",
    times,
    { value: `HKCategoryValueSleepAnalysis${name}`, ...more },
    within,
  )

export const appleZone = (zone: string): string => `<MetadataEntry key="HKTimeZone" value="${zone}"/>`

/** Rows by type, as exports have them. */
export function appleRows(records: OuraRecords): readonly AppleElement[] {
  const sleeps = records.sleep.filter(({ type }) => type === "long_sleep" || type === "late_nap")
  const nights = sleeps.filter(({ type }) => type === "long_sleep")
  return [
    ...records.daily_activity.flatMap(({ day }, index) =>
      index % 7 === 0
        ? [appleRecord("BodyMass", { startMs: msOf(`${day}T06:30:00Z`) }, { unit: "lb", value: poundsOn(index) })]
        : [],
    ),
    appleRecord(
      "Height",
      { startMs: msOf("2020-05-01T08:00:00Z") },
      { unit: "cm", value: "172", sourceName: "Health" },
    ),
    ...sleeps.flatMap(beats),
    ...records.daily_activity.flatMap(({ day, steps }) => stepsOf(day, steps)),
    ...records.daily_activity.flatMap(({ day, active_calories: active, total_calories: total }) =>
      energyOf(day, active, total),
    ),
    ...nights.flatMap((night) => vitals(night, records)),
    ...sleeps.flatMap(variability),
    ...sleeps.flatMap(phases),
    ...records.workout.map(workoutOf),
  ]
}

/** As a scale shows it. */
const poundsOn = (index: number): string => (gramsOn(index) / 453.59237).toFixed(1)

/** A heart rate for each five minutes. */
const beats = (sleep: WireOuraSleep): AppleElement[] =>
  (sleep.heart_rate?.items ?? []).flatMap((value, index) =>
    value === null
      ? []
      : [
          appleRecord(
            "HeartRate",
            { startMs: msOf(sleep.bedtime_start) + index * PHASE_MS },
            { unit: "count/min", value: `${value}` },
          ),
        ],
  )

const variability = (sleep: WireOuraSleep): AppleElement[] =>
  (sleep.hrv?.items ?? []).flatMap((value, index) => {
    if (value === null) return []
    const startMs = msOf(sleep.bedtime_start) + index * PHASE_MS
    const list =
      '<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="62" time="00:20:37,80"/></HeartRateVariabilityMetadataList>'
    return [
      appleRecord(
        "HeartRateVariabilitySDNN",
        { startMs, endMs: startMs + MINUTE_MS },
        { unit: "ms", value: `${value}` },
        list,
      ),
    ]
  })

/** The watch counts hour by hour. The phone counts half of it in the half hours that follow, and the ring's app the whole day. */
function stepsOf(day: string, steps: number): AppleElement[] {
  const count = (sourceName: string | undefined, startMs: number, minutes: number, value: number) =>
    appleRecord(
      "StepCount",
      { startMs, endMs: startMs + minutes * MINUTE_MS },
      { unit: "count", value: `${value}`, ...(sourceName && { sourceName }) },
    )
  const midnightMs = msOf(`${day}T00:00:00Z`)
  const mean = Math.floor(steps / 6)
  const random = randomFor("steps by hour", day)
  // What one hour has more than the mean, another one has less.
  const more = [1, 2, 3].map(() => Math.floor(mean * random.between(-0.5, 0.5)))
  const walked = [...more, ...more.map((each) => -each)].map((each) => mean + each)
  return [
    ...[8, 9, 12, 13, 17, 18].flatMap((hour, index) => {
      const startMs = midnightMs + hour * HOUR_MS
      const share = walked[index] ?? 0
      return [count(undefined, startMs, 40, share), count(PHONE, startMs + 20 * MINUTE_MS, 40, share)]
    }),
    count("Oura", midnightMs, 23 * 60, steps),
  ]
}

function energyOf(day: string, active: number, total: number): AppleElement[] {
  const startMs = msOf(`${day}T09:00:00Z`)
  const times = { startMs, endMs: startMs + 120 * MINUTE_MS }
  return [
    appleRecord("ActiveEnergyBurned", times, { unit: "kJ", value: `${active * 4.184}` }),
    appleRecord("BasalEnergyBurned", times, { unit: "Cal", value: `${total - active}` }),
    appleRecord("DistanceWalkingRunning", times, { unit: "mi", value: "2.5" }),
  ]
}

function vitals(night: WireOuraSleep, { daily_spo2 }: OuraRecords): AppleElement[] {
  const [startMs, endMs] = [msOf(night.bedtime_start), msOf(night.bedtime_end)]
  const spo2 = daily_spo2.find(({ day }) => day === night.day)?.spo2_percentage?.average
  const at = { startMs: startMs + HOUR_MS, endMs: startMs + HOUR_MS }
  const value = (type: string, times: RowTimes, unit: string, number: number | null | undefined) =>
    number === null || number === undefined ? [] : [appleRecord(type, times, { unit, value: `${number}` })]
  return [
    ...value("RestingHeartRate", { startMs: endMs, endMs: endMs + HOUR_MS }, "count/min", night.lowest_heart_rate),
    ...value("RespiratoryRate", at, "count/min", night.average_breath),
    ...value("OxygenSaturation", at, "%", spo2 && spo2 / 100),
    ...value("AppleSleepingWristTemperature", { startMs, endMs }, "degF", 95.5),
  ]
}

/** Runs of one phase are one row. The phone's bedtime begins earlier and ends later. */
function phases(sleep: WireOuraSleep): AppleElement[] {
  const startMs = msOf(sleep.bedtime_start)
  const zone = appleZone(zoneOf(sleep.bedtime_start))
  const digits = sleep.sleep_phase_5_min ?? ""
  const runs = digits.match(/(.)\1*/g) ?? []
  let at = startMs
  const rows = runs.map((run) => {
    const times = { startMs: at, endMs: at + run.length * PHASE_MS }
    at = times.endMs
    return appleStage(STAGES[run[0] ?? ""] ?? "AsleepUnspecified", times, {}, zone)
  })
  const inBed = { startMs: startMs - 15 * MINUTE_MS, endMs: msOf(sleep.bedtime_end) + 20 * MINUTE_MS }
  return sleep.type === "long_sleep" ? [...rows, appleStage("InBed", inBed, { sourceName: PHONE })] : rows
}

/** Each second one in the form of before iOS 16. */
function workoutOf(workout: WireOuraWorkout, index: number): AppleElement {
  const [startMs, endMs] = [msOf(workout.start_datetime), msOf(workout.end_datetime)]
  const { distance, calories, activity } = workout
  const isOld = index % 2 === 0
  const dates = `startDate="${appleTime(startMs)}" endDate="${appleTime(endMs)}"`
  const statistics = (type: string, more: string) =>
    `<WorkoutStatistics type="HKQuantityTypeIdentifier${type}" ${dates} ${more}/>`
  return {
    tag: "Workout",
    attributes: {
      workoutActivityType: `HKWorkoutActivityType${activity.charAt(0).toUpperCase()}${activity.slice(1)}`,
      duration: `${(endMs - startMs) / MINUTE_MS}`,
      durationUnit: "min",
      ...(isOld && { totalDistance: `${(distance ?? 0) / 1_000}`, totalDistanceUnit: "km" }),
      ...(isOld && { totalEnergyBurned: `${calories ?? 0}`, totalEnergyBurnedUnit: "Cal" }),
      sourceName: APPLE_WATCH,
      startDate: appleTime(startMs),
      endDate: appleTime(endMs),
    },
    within: isOld
      ? appleZone(zoneOf(workout.start_datetime))
      : [
          appleZone(zoneOf(workout.start_datetime)),
          statistics("HeartRate", 'average="131.5" minimum="90" maximum="164" unit="count/min"'),
          statistics("ActiveEnergyBurned", `sum="${calories ?? 0}" unit="Cal"`),
          statistics("DistanceWalkingRunning", `sum="${(distance ?? 0) / 1_000}" unit="km"`),
        ].join("\n  "),
  }
}

/** The folded name of the watch, as records have it. */
export const APPLE_WATCH_DEVICE = WATCH

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

export function appleElement({ tag, attributes, within = "" }: AppleElement): string {
  const text = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("")
  return within === "" ? ` <${tag}${text}/>` : ` <${tag}${text}>\n  ${within}\n </${tag}>`
}

const DTD = {
  whole: "<!ATTLIST Record\n type CDATA #REQUIRED\n>\n]>",
  "without a bracket": "<!ATTLIST Record\n type CDATA #REQUIRED\n]>",
  "with one bracket too many": "<!ATTLIST Record\n type CDATA #REQUIRED\n>>\n]>",
  none: "]>",
} as const

/** The XML alone. */
export function appleXml(elements: readonly AppleElement[], { dtd = "whole", exportDate }: AppleVariant = {}): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<!DOCTYPE HealthData [",
    "<!-- HealthKit Export Version: 13 -->",
    '<!ENTITY ha "ha"><!ENTITY haha "&ha;&ha;&ha;&ha;">',
    "<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>",
    DTD[dtd],
    '<HealthData locale="en_DE">',
    ` <ExportDate value="${exportDate ?? "2030-01-01 10:00:00 +0200"}"/>`,
    ' <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>',
    ...elements.map(appleElement),
    ' <ActivitySummary dateComponents="2026-11-01" activeEnergyBurned="547" activeEnergyBurnedUnit="Cal"/>',
    "</HealthData>",
    "",
  ].join("\n")
}

/** The export as a zip file. */
export function appleArchive(elements: readonly AppleElement[], variant: AppleVariant = {}): Buffer {
  const { fileName = "export.xml", others = [] } = variant
  const folder = "apple_health_export/"
  const clinical = '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><HealthData/></ClinicalDocument>'
  return zipOf([
    { name: `${folder}export_cda.xml`, bytes: Buffer.from(clinical) },
    { name: `${folder}${fileName}`, bytes: Buffer.from(appleXml(elements, variant)) },
    { name: `${folder}workout-routes/route_2026-11-01.gpx`, bytes: Buffer.from("<gpx/>") },
    ...others,
  ])
}
