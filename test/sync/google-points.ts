// Data points of Google Health that tests write.

import type { WireDaily, WireGoogleExercise, WireGoogleSleep } from "@restwell/simulator"
import type { World } from "@restwell/testing/world"

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const wireDate = (date: string) => {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
  return { year, month, day }
}

export const FITBIT = { platform: "FITBIT" }
export const WATCH = { platform: "HEALTH_KIT", device: { displayName: "Apple Watch" } }

/** A night from 22:00 to 06:00 UTC of a date of waking, at +02:00. */
export function night(
  id: string,
  date: string,
  change: Partial<WireGoogleSleep["sleep"]> = {},
  dataSource = FITBIT,
): WireGoogleSleep {
  const endMs = Date.parse(`${date}T06:00:00Z`)
  const at = (hoursBefore: number) => new Date(endMs - hoursBefore * HOUR_MS).toISOString()
  const stage = (type: string, from: number, to: number) => ({
    type,
    startTime: at(from),
    endTime: at(to),
    startUtcOffset: "7200s",
    endUtcOffset: "7200s",
  })
  return {
    name: `users/me/dataTypes/sleep/dataPoints/${id}`,
    dataSource,
    sleep: {
      interval: { startTime: at(8), endTime: at(0), startUtcOffset: "7200s", endUtcOffset: "7200s" },
      type: "STAGES",
      stages: [stage("LIGHT", 8, 4), stage("DEEP", 4, 2), stage("REM", 2, 1), stage("AWAKE", 1, 0)],
      summary: {
        minutesInSleepPeriod: "480",
        minutesAsleep: "420",
        minutesAwake: "60",
        stagesSummary: ["LIGHT", "DEEP", "REM", "AWAKE"].map((type, index) => ({
          type,
          minutes: String([240, 120, 60, 60][index]),
          count: "1",
        })),
      },
      metadata: { mainSleep: true, processed: true, stagesStatus: "SUCCEEDED" },
      createTime: at(0),
      updateTime: at(0),
      ...change,
    },
  }
}

export const daily = (
  type: string,
  id: string,
  figures: Partial<WireDaily>,
  dataSource: WireDaily["dataSource"] = FITBIT,
): WireDaily => ({
  name: `users/me/dataTypes/${type}/dataPoints/${id}`,
  dataSource,
  ...figures,
})

export function workout(
  id: string,
  startTime: string,
  minutes: number,
  dataSource: WireDaily["dataSource"] = FITBIT,
): WireGoogleExercise {
  const endTime = new Date(Date.parse(startTime) + minutes * 60_000).toISOString()
  return {
    name: `users/me/dataTypes/exercise/dataPoints/${id}`,
    dataSource,
    exercise: {
      interval: { startTime, endTime, startUtcOffset: "-25200s", endUtcOffset: "-25200s" },
      exerciseType: "TRAIL_RUN",
      displayName: "Traillauf",
      activeDuration: `${minutes * 60}s`,
      metricsSummary: { caloriesKcal: 310.5, distanceMillimeters: 5_000_000, averageHeartRateBeatsPerMinute: "141" },
      notes: "private words",
      createTime: endTime,
      updateTime: endTime,
    },
  }
}

/** A workout that goes on. */
export function open({ exercise, ...point }: WireGoogleExercise): WireGoogleExercise {
  const { startTime, startUtcOffset } = exercise.interval
  return { ...point, exercise: { ...exercise, interval: { startTime, startUtcOffset } } }
}

/** The records of a person that could not be read, with the reasons. */
export const setAsideOf = async ({ store }: Pick<World, "store">, userId: string) =>
  (await store.pool.query("select kind, reason from restwell.rejected_record where user_id = $1", [userId])).rows
