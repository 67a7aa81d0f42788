import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that intervals.icu delivers. @see https://intervals.icu/api-docs.html */
export const INTERVALS_COVERAGE = coverageOf({
  // It has lengths of nights and no times.
  sleep: [],
  recovery: [
    ["hrvMs", "hrv, or else hrvSDNN", "ms", "RMSSD, or else SDNN of Apple's devices: each record says which"],
    ["restingHeartRateBpm", "restingHR, unless tempRestingHR", "beats/min"],
    ["spo2Percent", "spO2", "percent"],
    ["asleepMs", "sleepSecs", "ms", "asleep or in bed: the device decides"],
  ],
  workout: [
    ["startMs", "start_date", "UTC instant"],
    ["endMs", "start_date + elapsed_time", "UTC instant"],
    ["durationMs", "elapsed_time", "ms", "pauses included"],
    ["sportType", "type"],
    ["strain", "icu_training_load", "training load", "about 100 for an hour at the threshold"],
    ["averageHeartRateBpm", "average_heartrate", "beats/min"],
    ["maxHeartRateBpm", "max_heartrate", "beats/min"],
    ["energyKcal", "calories", "kcal"],
    ["distanceMeters", "distance, or else icu_distance", "m"],
    ["device", "device_name"],
  ],
  cycle: [
    ["startMs", "id: the first instant of the date in the person's time zone", "UTC instant"],
    ["endMs", "id: the first instant of the next date", "UTC instant"],
    ["startUtcOffsetMinutes", "the person's time zone", "minutes"],
    ["endUtcOffsetMinutes", "the person's time zone", "minutes"],
    ["steps", "steps", "steps"],
  ],
  profile: [
    ["data.firstName", "firstname, or else name"],
    ["data.lastName", "lastname"],
    ["data.email", "email"],
    ["data.body.weightKilograms", "weight", "kg"],
  ],
})

/** Values within the day: a weight of a date stands at its noon. */
export const INTERVALS_SERIES: readonly SeriesCoverage[] = [{ type: "weight", source: "weight, unless tempWeight" }]
