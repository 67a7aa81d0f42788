// Values within a night, from Polar's shapes to the normalised ones.
import { SLEEP_STAGES } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { Sample, SampleSet } from "../contract/series.ts"
import { joinSpans } from "../normalize/derive.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { clockValues, type NightSpan } from "./clock-values.ts"
import type { PolarNight } from "./wire.ts"

/** Heart rates are means of five minutes. */
const HEART_RATE_MS = 5 * MINUTE_MS

/** Returns the heart rates and the stages of a night. Absent where there are none. */
export function samplesOfNight(night: PolarNight, spans: readonly NightSpan[], now: Date): readonly SampleSet[] {
  const sets: readonly SampleSet[] = [
    { type: "heart_rate", samples: heartRatesOf(night) },
    { type: "sleep_stages", samples: stagesOf(night, spans) },
  ]
  return sets.map((set) => plausibleSamples(set, now)).filter(({ samples, leftOut }) => samples.length > 0 || leftOut)
}

/** Zero is no measurement. */
function heartRatesOf(night: PolarNight): Sample[] {
  const { utcOffsetMinutes } = night.sleep_start_time
  return (clockValues(night, "heart_rate_samples") ?? []).flatMap(({ atMs, value }) =>
    value === 0 ? [] : [{ atMs, value, durationMs: HEART_RATE_MS, utcOffsetMinutes }],
  )
}

function stagesOf({ sleep_start_time: { utcOffsetMinutes } }: PolarNight, spans: readonly NightSpan[]): Sample[] {
  const known = spans.flatMap(({ phase, startMs, endMs }) =>
    phase && endMs > startMs ? [{ value: phase, startMs, endMs }] : [],
  )
  return joinSpans(known).map(({ value, startMs, endMs }) => ({
    atMs: startMs,
    value: SLEEP_STAGES.indexOf(value),
    durationMs: endMs - startMs,
    utcOffsetMinutes,
  }))
}
