// Apple Health's export with what is wrong in real ones: DTDs, attributes, times, names, units and doubled sources.
import { HOUR_MS } from "@restwell/client/time-units"
import {
  type AppleElement,
  type AppleVariant,
  appleArchive,
  appleElement,
  appleRecord,
  appleStage,
  appleXml,
  appleZone,
  zipOf,
} from "@restwell/simulator"
import { expect, test } from "vitest"
import { type ArchiveItem, readVendorArchive } from "../src/index.ts"
import { reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const at = (text: string) => Date.parse(text)
const span = (start: string, minutes: number) => ({ startMs: at(start), endMs: at(start) + minutes * 60_000 })

async function itemsOf(
  bytes: Buffer,
  { timeZone = "Europe/Berlin", name = "export.zip" } = {},
): Promise<ArchiveItem[]> {
  const read = async (position: number, length: number) => bytes.subarray(position, position + length)
  const isZip = name.endsWith(".zip")
  const archive = await readVendorArchive({ name, size: bytes.length, read }, { isZip, now: NOW, timeZone })
  expect(archive).toMatchObject({ kind: "apple_archive", provider: "apple_health" })
  return Array.fromAsync(archive.items)
}

const read = (elements: readonly AppleElement[], variant?: AppleVariant, timeZone?: string) =>
  itemsOf(appleArchive(elements, variant), timeZone === undefined ? {} : { timeZone })

const NIGHT = [
  appleStage("AsleepCore", span("2026-11-17T22:00:00Z", 300)),
  appleStage("AsleepDeep", span("2026-11-18T03:00:00Z", 60)),
  appleStage("AsleepREM", span("2026-11-18T04:00:00Z", 60)),
  appleStage("Awake", span("2026-11-18T05:00:00Z", 30)),
]
const MINUTES = { lightMs: 300 * 60_000, deepMs: HOUR_MS, remMs: HOUR_MS, awakeMs: HOUR_MS / 2 }
const nightsOf = (items: readonly ArchiveItem[]) => recordsOf(items, "sleep")

test.each(["export.xml", "Export.xml", "\u5bfc\u51fa.xml", "eksport.xml", "exportar.xml"])(
  "%s is found by its content, and the clinical document beside it is not read",
  async (fileName) => {
    const hidden = { name: "._export.xml", bytes: Buffer.from("<HealthData></HealthData>") }
    const items = await read(NIGHT, { fileName, others: [hidden] })
    expect(nightsOf(items)).toEqual([expect.objectContaining({ stages: MINUTES })])
  },
)

test.each(["whole", "without a bracket", "with one bracket too many", "none"] as const)(
  "a DTD %s is skipped",
  async (dtd) => {
    expect(nightsOf(await read(NIGHT, { dtd }))).toHaveLength(1)
  },
)

test("an XML file that was unpacked is read too, in UTF-8 and UTF-16, whatever its name is", async () => {
  const xml = appleXml(NIGHT)
  for (const name of ["export.xml", "Apple Health", "export.xml.download", "export.txt"])
    for (const bytes of [Buffer.from(xml), Buffer.from(`\ufeff${xml}`, "utf16le")])
      expect(nightsOf(await itemsOf(bytes, { name }))).toHaveLength(1)
})

test("of two exports in a zip file the one in the upper folder is read", async () => {
  const older = { name: "a/older/export.xml", bytes: Buffer.from(appleXml(NIGHT.slice(0, 1))) }
  const files = [older, { name: "a/export.xml", bytes: Buffer.from(appleXml(NIGHT)) }]
  for (const each of [files, files.toReversed()])
    expect(nightsOf(await itemsOf(zipOf(each)))).toEqual([expect.objectContaining({ stages: MINUTES })])
})

test("entities of the DTD are never expanded", async () => {
  const xml = appleXml(NIGHT).replaceAll("Lena\u2019s", "&haha;")
  const items = await itemsOf(zipOf([{ name: "apple_health_export/export.xml", bytes: Buffer.from(xml) }]))
  expect(recordsOf(items, "sleep")).toEqual([expect.objectContaining({ device: "&haha; Apple Watch" })])
})

test("date of birth, sex and clinical files are read nowhere", async () => {
  expect(appleXml(NIGHT)).toContain("1990-01-01")
  const items = JSON.stringify(await read(NIGHT))
  expect(items).not.toMatch(/1990-01-01|Female|Clinical/)
})

test("control characters and attributes that stand twice cost no row", async () => {
  const xml = appleXml(NIGHT)
    .replace('unit="', 'unit="\u000b')
    .replaceAll("Lena\u2019s", "Lena\u000b\u2019s")
    .replaceAll(/endDate="([^"]+)"/g, 'endDate="$1" endDate="$1"')
  const items = await itemsOf(zipOf([{ name: "a/export.xml", bytes: Buffer.from(xml) }]))
  expect(recordsOf(items, "sleep")).toEqual([expect.objectContaining({ device: "Lena's Apple Watch" })])
})

test("the printed offset is that of the export: the date is that of the row's zone, else of the person's", async () => {
  // The file says 00:30 on the 19th, at +0200. In winter it was 23:30 on the 18th.
  const times = span("2026-11-18T21:00:00Z", 90)
  const dateIn = async (zone: string, within = "") => {
    const [sleep] = recordsOf(await read([appleStage("Asleep", times, {}, within)], {}, zone), "sleep")
    return sleep?.kind === "sleep" && [sleep.endMs, sleep.endUtcOffsetMinutes, sleep.providerId]
  }
  const end = Date.parse("2026-11-18T22:30:00Z")
  expect(await dateIn("Europe/Berlin")).toEqual([end, 60, "nap-20261118T210000Z"])
  const night = span("2026-11-18T14:30:00Z", 480)
  const [sleep] = recordsOf(await read([appleStage("Asleep", night)]), "sleep")
  expect(sleep?.providerId).toBe("2026-11-18")
  const zoned = [appleStage("Asleep", night, {}, appleZone("Asia/Tokyo"))]
  expect(recordsOf(await read(zoned), "sleep")[0]).toMatchObject({ providerId: "2026-11-19", endUtcOffsetMinutes: 540 })
  const weeksBefore = appleStage("Asleep", span("2026-10-30T14:30:00Z", 480), {}, appleZone("Asia/Tokyo"))
  const ids = recordsOf(await read([weeksBefore, appleStage("Asleep", night)]), "sleep").map((each) => each.providerId)
  expect(ids).toEqual(["2026-10-31", "2026-11-18"])
  const other = appleZone("Asia/Tokyo").replace("HKTimeZone", "Comment")
  expect(recordsOf(await read([appleStage("Asleep", night, {}, other)]), "sleep")[0]?.providerId).toBe("2026-11-18")
  const inIndia = { startDate: "2026-11-17 20:00:00 +0530", endDate: "2026-11-18 04:00:00 +0530" }
  expect(nightsOf(await read([appleStage("Asleep", night, inIndia)]))).toMatchObject([
    { startMs: at("2026-11-17T14:30:00Z"), endMs: at("2026-11-17T22:30:00Z") },
  ])
  const unknown = [appleStage("Asleep", night, {}, appleZone("Moon/Crater"))]
  expect(recordsOf(await read(unknown), "sleep")[0]).toMatchObject({ providerId: "2026-11-18" })
})

test("one device under two spellings is one device", async () => {
  const others = NIGHT.map((element) => ({
    ...element,
    attributes: { ...element.attributes, sourceName: "Lena's Apple Watch" },
  }))
  expect(nightsOf(await read([...NIGHT, ...others]))).toEqual([expect.objectContaining({ stages: MINUTES })])
})

test("of counts three digits after a comma are thousands, and other figures of two readings are refused and counted", async () => {
  const record = (type: string, value: string, unit: string, hour = 10) =>
    appleRecord(type, span(`2026-11-18T${hour}:00:00Z`, 10), { value, unit })
  const items = await read([
    record("StepCount", "7,961", "count"),
    record("StepCount", "12.345", "count", 12),
    record("BodyMass", "61,512", "kg"),
    record("BodyMass", "61,5", "kg", 12),
  ])
  expect(recordsOf(items, "cycle")).toMatchObject([{ steps: 7973 }])
  expect(samplesOf(items, "weight").map(({ value }) => value)).toEqual([61.5])
  expect(reasonsOf(items)).toEqual([expect.stringMatching(/BodyMass: a value that is not known$/)])
})

test("decimals have points or commas", async () => {
  const list =
    '<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="62" time="00:20:37,80"/></HeartRateVariabilityMetadataList>'
  const hrv = (value: string, start: string) =>
    appleRecord("HeartRateVariabilitySDNN", span(start, 1), { unit: "ms", value }, list)
  const items = await read([...NIGHT, hrv("60,5", "2026-11-18T01:00:00Z"), hrv("50.5", "2026-11-18T02:00:00Z")])
  expect(recordsOf(items, "recovery")).toEqual([expect.objectContaining({ hrvMethod: "sdnn", hrvMs: 55.5 })])
  expect(samplesOf(items, "hrv")).toHaveLength(2)
})

test("RMSSD counts before SDNN, and each is stored under its method", async () => {
  const hrv = (method: string, value: string) =>
    appleRecord(`HeartRateVariability${method}`, span("2026-11-18T01:00:00Z", 1), { unit: "ms", value })
  const items = await read([...NIGHT, hrv("SDNN", "70"), hrv("RMSSD", "40")])
  expect(recordsOf(items, "recovery")[0]).toMatchObject({ hrvMethod: "rmssd", hrvMs: 40 })
  const methods = items.flatMap((item) => (item.type === "series" ? [item.set.method ?? item.set.type] : []))
  expect(methods.toSorted()).toEqual(["rmssd", "sdnn"])
})

test("units are converted, and rows of unknown ones are counted", async () => {
  const value = (type: string, unit: string, amount: string, start = "2026-11-18T08:00:00Z") =>
    appleRecord(type, span(start, 10), { unit, value: amount })
  const items = await read([
    value("BodyMass", "lb", "150"),
    value("BodyMass", "stone", "10"),
    value("BodyMass", "kg", "much"),
    value("ActiveEnergyBurned", "kJ", "418.4"),
    value("DistanceWalkingRunning", "mi", "1"),
    value("OxygenSaturation", "%", "0.97", "2026-11-18T01:00:00Z"),
    value("AppleSleepingWristTemperature", "degF", "95", "2026-11-18T01:00:00Z"),
    value("HeartRate", "count/s", "1.2"),
    value("RestingHeartRate", "count/min", "50"),
    ...NIGHT,
  ])
  expect(samplesOf(items, "weight").map(({ value: kilograms }) => kilograms)).toEqual([expect.closeTo(68.0389, 4)])
  expect(recordsOf(items, "cycle")[0]).toMatchObject({
    activeEnergyKcal: expect.closeTo(100, 6),
    distanceMeters: expect.closeTo(1609.344, 6),
  })
  expect(recordsOf(items, "recovery")[0]).toMatchObject({
    skinTempCelsius: expect.closeTo(35, 6),
    restingHeartRateBpm: 50,
    spo2Percent: 97,
  })
  expect(samplesOf(items, "heart_rate").map(({ value: rate }) => rate)).toEqual([72])
  expect(reasonsOf(items)).toEqual([
    "export.xml, line 14: BodyMass: the unit stone is not known",
    "export.xml, line 15: BodyMass: a value that is not known",
  ])
  expect(items).toContainEqual(expect.objectContaining({ type: "profile" }))
})

test("workouts have their figures in the old form and in the new one", async () => {
  const workout = (attributes: Record<string, string>, within: string): AppleElement => ({
    tag: "Workout",
    attributes: {
      workoutActivityType: "HKWorkoutActivityTypeRunning",
      duration: "50",
      durationUnit: "min",
      sourceName: "Watch",
      startDate: "2026-11-18 18:00:00 +0200",
      endDate: "2026-11-18 19:00:00 +0200",
      ...attributes,
    },
    within,
  })
  const dates = 'startDate="2026-11-18 18:00:00 +0200" startDate="2026-11-18 19:00:00 +0200"'
  const energy = `<WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" ${dates} sum="342.5" unit="Cal"/>`
  const distance = `<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" ${dates} sum="8.5" unit="km"/>`
  const old = workout(
    { totalDistance: "8.5", totalDistanceUnit: "km", totalEnergyBurned: "342.5", totalEnergyBurnedUnit: "Cal" },
    appleZone("Europe/Berlin"),
  )
  // The activity within has the same figures again.
  const recent = workout({}, `${energy}\n${distance}<WorkoutActivity>${energy}${distance}</WorkoutActivity>`)
  const without = workout(
    { totalDistance: "0", totalDistanceUnit: "km", totalEnergyBurned: "0", totalEnergyBurnedUnit: "kcal" },
    "",
  )
  expect(recordsOf(await read([without]), "workout")[0]).not.toHaveProperty("energyKcal")
  for (const each of [old, recent]) {
    const [found] = recordsOf(await read([each]), "workout")
    expect(found).toMatchObject({
      device: "Watch",
      sportType: "running",
      durationMs: 3_000_000,
      energyKcal: 342.5,
      distanceMeters: 8500,
    })
  }
})

test("a workout of several sports has the distance of all, and of two weights of one moment the greater counts", async () => {
  const dates = { startDate: "2026-11-18 18:00:00 +0200", endDate: "2026-11-18 19:00:00 +0200" }
  const part = (type: string, sum: number, unit: string) =>
    `<WorkoutStatistics type="HKQuantityTypeIdentifier${type}" sum="${sum}" unit="${unit}"/>`
  const triathlon: AppleElement = {
    tag: "Workout",
    attributes: { workoutActivityType: "HKWorkoutActivityTypeSwimBikeRun", sourceName: "Watch", ...dates },
    within:
      part("DistanceSwimming", 1500, "m") +
      part("DistanceCycling", 40, "km") +
      part("DistanceWalkingRunning", 10, "km"),
  }
  const moment = span("2026-11-18T06:00:00Z", 0)
  const weights = ["71", "72"].map((value) => appleRecord("BodyMass", moment, { unit: "kg", value }))
  for (const each of [weights, weights.toReversed()]) {
    const items = await read([triathlon, ...each])
    expect(recordsOf(items, "workout")).toMatchObject([{ distanceMeters: 51_500 }])
    expect(items.filter(({ type }) => type === "profile")).toMatchObject([
      { profile: { data: { body: { weightKilograms: 72 } } } },
    ])
  }
})

test("a workout that two apps recorded is one, and so is a night", async () => {
  const workout = (sourceName: string, start: string, end: string): AppleElement => ({
    tag: "Workout",
    attributes: { workoutActivityType: "HKWorkoutActivityTypeCycling", sourceName, startDate: start, endDate: end },
  })
  const items = await read([
    workout("Strava", "2026-11-18 18:01:00 +0200", "2026-11-18 19:02:00 +0200"),
    workout("Ada\u2019s Watch", "2026-11-18 18:00:00 +0200", "2026-11-18 19:00:00 +0200"),
    workout("Strava", "2026-11-19 18:00:00 +0200", "2026-11-19 19:00:00 +0200"),
    appleStage("Asleep", span("2026-11-17T21:00:00Z", 500), { sourceName: "WHOOP" }),
    ...NIGHT,
  ])
  expect(recordsOf(items, "workout").map(({ device }) => device)).toEqual(["Ada's Watch", "Strava"])
  expect(recordsOf(items, "sleep").map(({ device }) => device)).toEqual(["Lena's Apple Watch"])
  expect(items).toContainEqual({ type: "note", note: expect.stringContaining("Rows of WHOOP are copies") })
})

test("the day of the export is open, and types that are not read are named and counted", async () => {
  const steps = appleRecord("StepCount", span("2026-11-18T07:00:00Z", 30), { unit: "count", value: "800" })
  const audio = appleRecord("EnvironmentalAudioExposure", span("2026-11-18T07:00:00Z", 30), { unit: "dB", value: "60" })
  const summary = { tag: "ActivitySummary", attributes: { dateComponents: "2026-11-18" } } as const
  const items = await read([steps, audio, audio, summary], { exportDate: "2026-11-18 10:00:00 +0200" })
  expect(recordsOf(items, "cycle")).toEqual([expect.objectContaining({ steps: 800, endMs: null })])
  expect(items).toContainEqual({
    type: "note",
    note: "Rows of types that Restwell does not read: EnvironmentalAudioExposure 2, ActivitySummary 2",
  })
})

test("stand time, the distance of rides and notifications of the heart are named with their number, and no day grows by them", async () => {
  const at = span("2026-11-18T07:00:00Z", 30)
  const event = (type: string) =>
    appleRecord(`HKCategoryTypeIdentifier${type}`, at, { value: "HKCategoryValueNotApplicable" })
  const walked = appleRecord("DistanceWalkingRunning", at, { unit: "km", value: "2" })
  const items = await read([
    walked,
    appleRecord("AppleStandTime", at, { unit: "min", value: "5" }),
    appleRecord("AppleStandTime", span("2026-11-18T08:00:00Z", 30), { unit: "min", value: "4" }),
    appleRecord("DistanceCycling", at, { unit: "km", value: "12" }),
    event("HighHeartRateEvent"),
    event("LowHeartRateEvent"),
    event("IrregularHeartRhythmEvent"),
  ])
  expect(recordsOf(items, "cycle")).toMatchObject([{ distanceMeters: 2_000 }])
  expect(reasonsOf(items)).toEqual([])
  expect(items).toContainEqual({
    type: "note",
    note:
      "Rows of types that Restwell does not read: AppleStandTime 2, DistanceCycling 1, HighHeartRateEvent 1, " +
      "LowHeartRateEvent 1, IrregularHeartRhythmEvent 1, ActivitySummary 1",
  })
})

test("rows of the wrong shape are counted by reason with the line of the first, and the others are read", async () => {
  const broken = [
    appleElement(appleStage("Dreaming", span("2026-11-18T01:00:00Z", 10))),
    appleElement(appleStage("Asleep", span("2026-11-18T01:00:00Z", -10))),
    appleElement(appleStage("Asleep", span("1969-11-18T01:00:00Z", 10))),
    '<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="a" startDate="tomorrow" endDate="later" value="x"/>',
    '<Record type="HKQuantityTypeIdentifierStepCount" source Name="a" unit="count" value="1"/>',
    '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="a" unit="count" value="-5" startDate="2026-11-18 10:00:00 +0100" endDate="2026-11-18 10:00:00 +0100"/>',
    "<Workout/>",
  ]
  // The file is read in pieces of 64 KB.
  const before = '<Record type="other"/>\n'.repeat(9_000)
  const xml = appleXml(NIGHT).replace("</HealthData>", `${before}${broken.join("\n")}\n${broken[4]}\n</HealthData>`)
  const items = await itemsOf(zipOf([{ name: "a/export.xml", bytes: Buffer.from(xml) }]))
  expect(nightsOf(items)).toHaveLength(1)
  const lineOf = (index: number) => xml.split("\n").indexOf(broken[index] ?? "") + 1
  expect(lineOf(0)).toBeGreaterThan(9_000)
  expect(reasonsOf(items)).toEqual([
    `export.xml, line ${lineOf(0)}: SleepAnalysis: a value that is not known`,
    `export.xml, line ${lineOf(1)}: SleepAnalysis: an end before the start`,
    `export.xml, line ${lineOf(2)}: SleepAnalysis: not an instant of this century`,
    `export.xml, line ${lineOf(3)}: SleepAnalysis: a date that cannot be read`,
    `export.xml, from line ${lineOf(4)}: StepCount: without sourceName`,
    `export.xml, line ${lineOf(5)}: StepCount: outside 0 to 500000 count`,
    `export.xml, line ${lineOf(6)}: Workout: without workoutActivityType`,
  ])
})

test.each(["__proto__", "constructor", "toString", "valueOf"])("%s is neither a unit nor a stage", async (word) => {
  const run = span("2026-11-18T10:00:00Z", 60)
  const items = await read([
    ...NIGHT,
    appleRecord("StepCount", run, { unit: word, value: "800" }),
    appleRecord("HeartRate", run, { unit: word, value: "60" }),
    appleStage(word, span("2026-11-18T01:00:00Z", 10)),
  ])
  expect(nightsOf(items)).toHaveLength(1)
  expect(samplesOf(items, "heart_rate")).toEqual([])
  expect(reasonsOf(items)).toHaveLength(3)
})

test("what Strava wrote is marked for assistants, and is no part of a day or of the profile", async () => {
  const strava = { sourceName: "Strava", device: "" }
  const run = span("2026-11-18T10:00:00Z", 60)
  const dates = { startDate: "2026-11-18 12:00:00 +0200", endDate: "2026-11-18 13:00:00 +0200" }
  const items = await read([
    appleRecord("StepCount", run, { unit: "count", value: "9000", ...strava }),
    appleRecord("StepCount", span("2026-11-18T12:00:00Z", 10), { unit: "count", value: "800" }),
    appleRecord("BodyMass", run, { unit: "kg", value: "61", ...strava }),
    { tag: "Workout", attributes: { workoutActivityType: "HKWorkoutActivityTypeRunning", ...strava, ...dates } },
  ])
  expect(recordsOf(items, "workout")).toMatchObject([{ device: "Strava", assistants: false }])
  expect(recordsOf(items, "cycle")).toMatchObject([{ steps: 800 }])
  expect(items.filter(({ type }) => type === "profile")).toEqual([])
  const ofStrava = items.flatMap((item) =>
    item.type === "series" && item.set.device === "Strava" ? [item.set.type] : [],
  )
  expect(ofStrava.toSorted()).toEqual(["steps", "weight"])
})
