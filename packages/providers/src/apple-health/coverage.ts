import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

const SLEEP = "SleepAnalysis of one device"

/** The normalised fields that Apple Health's export has. */
export const APPLE_COVERAGE = coverageOf({
  sleep: [
    ["startMs", `start of the first row of ${SLEEP}`, "UTC instant"],
    ["endMs", `end of the last row of ${SLEEP}`, "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    [
      "isNap",
      "under 3 hours asleep, not for the most part between 0 and 5 o'clock, and two hours or more from a night",
    ],
    ["stages.lightMs", "AsleepCore, and Asleep beside other stages", "ms"],
    ["stages.deepMs", "AsleepDeep", "ms"],
    ["stages.remMs", "AsleepREM", "ms"],
    ["stages.awakeMs", "Awake", "ms"],
    ["asleepMs", "Asleep, from devices without stages", "ms"],
    ["course", "AsleepCore, AsleepDeep, AsleepREM, Awake", "phases of 2 minutes"],
    ["efficiencyPercent", "time asleep / (end - start)", "percent"],
    ["respiratoryRatePerMinute", "mean of RespiratoryRate within the sleep", "breaths/min"],
    ["startUtcOffsetMinutes", "HKTimeZone of the nearest row", "minutes"],
    ["endUtcOffsetMinutes", "HKTimeZone of the nearest row", "minutes"],
    ["device", "sourceName"],
  ],
  recovery: [
    [
      "hrvMs",
      "mean of HeartRateVariabilityRMSSD within the main sleep, else of HeartRateVariabilitySDNN",
      "ms",
      "RMSSD since iOS 27, else SDNN",
    ],
    ["restingHeartRateBpm", "RestingHeartRate", "beats/min", "of the day, not of the night"],
    ["spo2Percent", "mean of OxygenSaturation within the main sleep", "percent"],
    ["skinTempCelsius", "AppleSleepingWristTemperature", "degrees Celsius", "at the wrist"],
    ["sleepProviderId", "the main sleep of the date"],
    ["cycleProviderId", "the date"],
    ["device", "sourceName"],
  ],
  workout: [
    ["startMs", "Workout.startDate", "UTC instant"],
    ["endMs", "Workout.endDate", "UTC instant"],
    ["durationMs", "Workout.duration, else end - start", "ms", "without pauses"],
    ["sportType", "Workout.workoutActivityType"],
    ["averageHeartRateBpm", "WorkoutStatistics HeartRate average", "beats/min"],
    ["maxHeartRateBpm", "WorkoutStatistics HeartRate maximum", "beats/min"],
    ["energyKcal", "WorkoutStatistics ActiveEnergyBurned, or totalEnergyBurned", "kcal", "beyond rest"],
    ["distanceMeters", "WorkoutStatistics Distance*, or totalDistance", "m"],
    ["device", "sourceName"],
  ],
  cycle: [
    ["startMs", "local midnight", "UTC instant"],
    ["endMs", "local midnight of the next date", "UTC instant"],
    ["energyKcal", "ActiveEnergyBurned + BasalEnergyBurned", "kcal", "at each moment of one device"],
    ["activeEnergyKcal", "ActiveEnergyBurned", "kcal", "at each moment of one device"],
    ["steps", "StepCount", "count", "at each moment of one device"],
    ["distanceMeters", "DistanceWalkingRunning", "m", "at each moment of one device"],
    ["device", "sourceName of the one with the most steps"],
  ],
  profile: [
    ["data.body.heightMeters", "the newest Height", "m"],
    ["data.body.weightKilograms", "the newest BodyMass", "kg"],
  ],
})

/** The values within the day that Apple Health's export has. */
export const APPLE_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "HeartRate" },
  { type: "hrv", source: "HeartRateVariabilityRMSSD, HeartRateVariabilitySDNN" },
  { type: "spo2", source: "OxygenSaturation" },
  { type: "respiratory_rate", source: "RespiratoryRate" },
  { type: "skin_temperature", source: "AppleSleepingWristTemperature" },
  { type: "steps", source: "StepCount" },
  { type: "active_energy", source: "ActiveEnergyBurned" },
  { type: "distance", source: "DistanceWalkingRunning" },
  { type: "floors", source: "FlightsClimbed" },
  { type: "exercise_minutes", source: "AppleExerciseTime" },
  { type: "walking_heart_rate", source: "WalkingHeartRateAverage" },
  { type: "sleep_stages", source: "SleepAnalysis of the device that answers for the night" },
  { type: "weight", source: "BodyMass" },
  { type: "body_fat", source: "BodyFatPercentage" },
  { type: "blood_pressure_systolic", source: "BloodPressureSystolic" },
  { type: "blood_pressure_diastolic", source: "BloodPressureDiastolic" },
  { type: "vo2max", source: "VO2Max" },
]
