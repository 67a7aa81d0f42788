import type { Source } from "@restwell/client"
import { expect, test } from "vitest"
import { sourceWords } from "./only-source.tsx"

const sourceOf = (provider: string): Source => ({ provider, status: "ok", last_synced_at: null })
const wordsOf = (metric: string, providers: readonly string[]) =>
  sourceWords({ metric, source: sourceOf("oura"), sources: providers.map(sourceOf) })

test.each(["hrv", "steps", "workout_max_heart_rate", "last_workout_end", "weight"])(
  "values of %s are of one source, which is named where the person has several",
  (metric) => {
    expect(wordsOf(metric, ["oura", "whoop"])).toBe("from Oura")
    expect(wordsOf(metric, ["oura"])).toBeUndefined()
    expect(wordsOf(metric, ["oura", "restwell"])).toBeUndefined()
  },
)

test.each(["nap", "workout_count", "workout", "distance", "zone_2_hours", "workout:running", "journal:alcohol"])(
  "values of %s are of any source, so none is named",
  (metric) => expect(wordsOf(metric, ["oura", "whoop", "restwell"])).toBeUndefined(),
)
