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
  ["BODYPUMP", "strength"],
  ["YOGA", "yoga"],
  ["WALKING", "walking"],
  ["HIKING", "walking"],
]

/** Names whose parts say something else. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ["CORE", "strength"],
  ["BODY_PUMP", "strength"],
])

/** Returns our name of a sport: of the detailed name, or else of the coarse one. */
export function sportOf(detailed: string | null | undefined, coarse: string | null | undefined): string {
  const name = (detailed?.trim() || coarse?.trim() || "OTHER").toUpperCase()
  if (name.startsWith("OTHER")) return "other"
  const known = WHOLE.get(name) ?? SPORTS.find(([part]) => name.includes(part))?.[1]
  return known ?? sportTypeOf(name)
}
