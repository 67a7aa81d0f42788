import { expect, test } from "vitest"
import {
  amountAtFirstSight,
  paceText,
  preferredUnit,
  temperatureChangeText,
  temperatureIn,
  temperatureText,
} from "./units.ts"

test("metres, kilograms and degrees have imperial units, others have none", () => {
  const imperial = (value: number, unit: string) => {
    const { factor, unit: written } = preferredUnit(unit, "imperial")
    return [Number((value * factor).toFixed(4)), written]
  }
  expect(imperial(1609.344, "m")).toEqual([1, "mi"])
  expect(imperial(66.5, "kg")).toEqual([146.6074, "lb"])
  expect(imperial(0.5, "C")).toEqual([0.9, "F"])
  expect(imperial(64, "ms")).toEqual([64, "ms"])
  expect(preferredUnit("m", "metric")).toEqual({ unit: "m", factor: 1 })
  expect([temperatureIn(36.6, "imperial"), temperatureIn(36.6, "metric")]).toEqual([97.9, 36.6])
})

test("figures follow the units, and a missing one is a dash", () => {
  expect([amountAtFirstSight(8012.5, "m", "metric"), amountAtFirstSight(8012.5, "m", "imperial")]).toEqual([
    "8.0 km",
    "5.0 mi",
  ])
  expect([amountAtFirstSight(66.5, "kg", "metric"), amountAtFirstSight(66.5, "kg", "imperial")]).toEqual([
    "66.5 kg",
    "146.6 lb",
  ])
  expect([temperatureText(33.6, "metric"), temperatureText(33.6, "imperial")]).toEqual(["33.6 °C", "92.5 °F"])
  expect([temperatureChangeText(-0.3, "metric"), temperatureChangeText(0.3, "imperial")]).toEqual([
    "−0.3 °C",
    "+0.5 °F",
  ])
  expect([temperatureChangeText(null, "imperial"), amountAtFirstSight(null, "kg", "imperial")]).toEqual(["–", "–"])
})

test("a run and a walk have a pace in the person's unit, a ride a speed, and other sports neither", () => {
  const workout = { sport_type: "running", duration_hours: 0.86, distance_meters: 9120.4, pace_seconds_per_km: 339 }
  expect([paceText(workout, "metric"), paceText(workout, "imperial")]).toEqual(["5:39 /km", "9:06 /mi"])
  const ride = { ...workout, sport_type: "cycling", pace_seconds_per_km: null }
  expect(paceText(ride, "metric")).toBe("10.6 km an hour")
  expect(paceText({ ...ride, sport_type: "tennis" }, "metric")).toBeUndefined()
  expect(paceText({ ...workout, pace_seconds_per_km: null }, "metric")).toBeUndefined()
})
