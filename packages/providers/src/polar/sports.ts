import { sportTypeOf } from "../normalize/vocabulary.ts"

/** Parts of Polar's names of sports that our names do not know, in the order in which they count. */
const SPORTS: readonly (readonly [part: string, sport: string])[] = [
  ["SWIMMING", "swimming"],
  ["RUNNING", "running"],
  ["JOGGING", "running"],
  ["CYCLING", "cycling"],
  ["BIKING", "cycling"],
  ["SPINNING", "cycling"],
  ["CIRCUIT", "hiit"],
  ["STRENGTH", "strength"],
  ["CORE", "strength"],
  ["BODY", "strength"],
  ["YOGA", "yoga"],
  ["STRETCHING", "yoga"],
  ["HIIT", "hiit"],
  ["WALKING", "walking"],
  ["HIKING", "walking"],
]

/** Returns our name of a sport: of the detailed name, or else of the coarse one. */
export function sportOf(detailed: string | null | undefined, coarse: string | null | undefined): string {
  const name = (detailed?.trim() || coarse?.trim() || "OTHER").toUpperCase()
  if (name.startsWith("OTHER")) return "other"
  return SPORTS.find(([part]) => name.includes(part))?.[1] ?? sportTypeOf(name)
}
