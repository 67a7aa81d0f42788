// The parts of a vendor's score.
import { z } from "zod"
import type { NormalizedContributor } from "../contract/records.ts"

/** Points, or percent, of a part of a score. */
export const partOfScore = z.number().min(0).max(100).nullish()

/** The parts that have a value, in the order given. Undefined without any. @param unit null for points from 0 to 100 */
export function contributorsOf(
  parts: Readonly<Record<string, number | null | undefined>> | null | undefined,
  unit: NormalizedContributor["unit"],
): readonly NormalizedContributor[] | undefined {
  const found = Object.entries(parts ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value, unit }],
  )
  return found.length > 0 ? found : undefined
}
