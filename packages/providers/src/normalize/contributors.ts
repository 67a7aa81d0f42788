// The parts of a vendor's score.
import { z } from "zod"
import type { NormalizedContributor } from "../contract/records.ts"

/** Points, or percent, of a part of a score. Some vendors write a negative number where there is none. */
export const partOfScore = z.number().max(100).nullish()

/** The parts that have a value, in the order given. Undefined without any. @param unit null for points from 0 to 100 */
export function contributorsOf(
  parts: Readonly<Record<string, number | null | undefined>> | null | undefined,
  unit: NormalizedContributor["unit"],
): readonly NormalizedContributor[] | undefined {
  const found = Object.entries(parts ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined || value < 0 ? [] : [{ name, value, unit }],
  )
  return found.length > 0 ? found : undefined
}
