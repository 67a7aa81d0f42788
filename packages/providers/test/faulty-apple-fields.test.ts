// A faulty number in every kind of row of Apple Health's export: everything beside it is stored, and what was dropped is counted.
import { type AppleElement, appleArchive, appleRecord, appleStage } from "@restwell/simulator"
import { expect, test } from "vitest"
import { readVendorArchive } from "../src/index.ts"
import { expectFieldsAlone, type Outcome, outcomeOfRows } from "./faulty-fields.ts"

const NOW = new Date("2026-11-25T12:00:00Z")

const span = (start: string, minutes = 0) => ({
  startMs: Date.parse(start),
  endMs: Date.parse(start) + minutes * 60_000,
})
const quantity = (type: string, number: string, unit: string, minutes = 0) =>
  appleRecord(type, span("2026-11-18T03:10:00Z", minutes), { value: number, unit })
const APPLE: readonly AppleElement[] = [
  appleStage("AsleepCore", span("2026-11-17T22:00:00Z", 420)),
  quantity("HeartRateVariabilitySDNN", "52", "ms"),
  quantity("RestingHeartRate", "51", "count/min"),
  quantity("RespiratoryRate", "14", "count/min"),
  quantity("OxygenSaturation", "0.96", "%"),
  quantity("AppleSleepingWristTemperature", "34.5", "degC"),
  quantity("StepCount", "120", "count", 5),
  quantity("ActiveEnergyBurned", "30", "kcal", 5),
  quantity("BasalEnergyBurned", "40", "kcal", 5),
  quantity("DistanceWalkingRunning", "0.4", "km", 5),
  quantity("Height", "172", "cm"),
  {
    tag: "Workout",
    attributes: {
      workoutActivityType: "HKWorkoutActivityTypeRunning",
      sourceName: "Watch",
      startDate: "2026-11-18 18:00:00 +0100",
      endDate: "2026-11-18 18:45:00 +0100",
      duration: "40",
      durationUnit: "min",
      totalEnergyBurned: "400",
      totalEnergyBurnedUnit: "kcal",
      totalDistance: "7.5",
      totalDistanceUnit: "km",
    },
  },
]
const STATISTICS = {
  "HKQuantityTypeIdentifierHeartRate average": "140",
  "HKQuantityTypeIdentifierHeartRate maximum": "171",
  "HKQuantityTypeIdentifierActiveEnergyBurned sum": "410",
  "HKQuantityTypeIdentifierDistanceWalkingRunning sum": "7.6",
}
const UNITS: Readonly<Record<string, string>> = { HeartRate: "count/min", ActiveEnergyBurned: "kcal" }

/** A workout with the statistics of newer exports beside the attributes of older ones. */
const withStatistics = (statistics: Readonly<Record<string, string>>): AppleElement[] => {
  const titles = Object.entries(statistics).map(([title, number]) => ({ words: title.split(" "), number }))
  const within = [...Map.groupBy(titles, ({ words: [type = ""] }) => type)].map(([type, figures]) => {
    const unit = Object.entries(UNITS).find(([name]) => type.endsWith(name))?.[1] ?? "km"
    const written = figures.map(({ words: [, of], number }) => (number === "" ? "" : `${of}="${number}"`))
    return `<WorkoutStatistics type="${type}" ${written.join(" ")} unit="${unit}"/>`
  })
  return APPLE.flatMap((element) => (element.tag === "Workout" ? [{ ...element, within: within.join("") }] : []))
}

const readApple = async (elements: readonly AppleElement[]): Promise<Outcome> => {
  const bytes = appleArchive(elements)
  const file = {
    name: "export.zip",
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  }
  const { items } = await readVendorArchive(file, { isZip: true, now: NOW, timeZone: "Europe/Berlin" })
  return outcomeOfRows(await Array.fromAsync(items))
}

test("a wrong number in a row or a workout of Apple's export costs this number alone", async () => {
  const figures = await expectFieldsAlone<readonly AppleElement[]>({
    source: APPLE,
    read: readApple,
    essential: [],
  })
  expect(figures).toBe(13)
})

test("a wrong number in a statistic of an Apple workout costs this number alone", async () => {
  const figures = await expectFieldsAlone<Readonly<Record<string, string>>>({
    source: STATISTICS,
    read: async (statistics) => readApple(withStatistics(statistics)),
    essential: [],
  })
  expect(figures).toBe(4)
})

test("a row of Apple that cannot be true costs neither a sum nor a mean", async () => {
  const right = await readApple(APPLE)
  for (const element of APPLE.filter(({ attributes }) => attributes["unit"] !== undefined))
    for (const number of ["1000000000000", "-1000000000000"]) {
      const times = span("2026-11-18T03:20:00Z", 1)
      const { type = "", unit = "" } = element.attributes
      const found = await readApple([...APPLE, appleRecord(type, times, { value: number, unit })])
      expect(found.records, type).toEqual(right.records)
      expect(found.leftOut, type).toHaveLength(1)
    }
})
