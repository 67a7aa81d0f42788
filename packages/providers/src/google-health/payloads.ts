// What is kept of Google's data points: notes that people wrote, and places and splits of a workout, are never stored.
import type { Json } from "../contract/records.ts"

function picked(document: Json | undefined, fields: readonly string[]): Json {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document ?? null
  return Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field)))
}

const POINT_FIELDS = ["name", "dataSource", "sleep", "exercise"]
const EXERCISE_FIELDS = ["interval", "exerciseType", "activeDuration", "metricsSummary", "createTime", "updateTime"]

export const pickedPoint = (point: Json): Json => picked(point, POINT_FIELDS)

export function pickedExercise(point: Json): Json {
  const rest = pickedPoint(point)
  if (typeof rest !== "object" || rest === null || Array.isArray(rest) || rest["exercise"] === undefined) return rest
  return { ...rest, exercise: picked(rest["exercise"], EXERCISE_FIELDS) }
}
