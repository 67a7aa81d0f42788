import type { TrendDay } from "@restwell/client"
import { figure, hoursText } from "../format/number.ts"
import type { Bucket } from "../trends/buckets.ts"
import { FIGURES, type Figure } from "../trends/figures.ts"
import { type Mean, meanOf } from "../trends/means.ts"
import { missingOf } from "../trends/missing.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import { yScaleOf } from "./layout.ts"
import { meanText } from "./mean-text.ts"
import { MissingMark } from "./missing-mark.tsx"

const STAGES = [
  { key: "deep_hours", label: "Deep", fill: "fill-deep", color: "bg-deep" },
  { key: "rem_hours", label: "REM", fill: "fill-rem", color: "bg-rem" },
  { key: "light_hours", label: "Light", fill: "fill-light-sleep", color: "bg-light-sleep" },
  { key: "awake_hours", label: "Awake", fill: "fill-awake", color: "bg-awake" },
] as const

type StageKey = (typeof STAGES)[number]["key"]

const stageFigure =
  (key: StageKey) =>
  (day: TrendDay): Figure => {
    const value = day.sleep?.[key] ?? null
    return value === null ? { value, missing: missingOf(day.sleep?.score_state) } : { value, missing: null }
  }

const stageMean = (bucket: Bucket, key: StageKey): Mean => meanOf(bucket.days, stageFigure(key))
const asleepText = (bucket: Bucket): string => meanText(meanOf(bucket.days, FIGURES.asleepHours), bucket, hoursText)
const stageText = (bucket: Bucket, key: StageKey): string => hoursText(stageMean(bucket, key).value)

const readOut = (bucket: Bucket): string => {
  const asleep = `${bucket.label}: ${asleepText(bucket)}`
  if (meanOf(bucket.days, FIGURES.asleepHours).value === null) return asleep
  return `${asleep} asleep: ${STAGES.map(({ key, label }) => `${label.toLowerCase()} ${stageText(bucket, key)}`).join(", ")}`
}

/** The nights' stages on top of each other. */
export const StagesChart = ({ buckets }: { buckets: readonly Bucket[] }) => (
  <Chart
    title="Sleep stages"
    description="Hours of each stage, main sleep of the night."
    buckets={buckets}
    missingOf={(bucket) => meanOf(bucket.days, FIGURES.asleepHours).missing}
    readOut={readOut}
    columns={[
      { header: "Asleep", cell: asleepText },
      ...STAGES.map(({ key, label }) => ({ header: label, cell: (bucket: Bucket) => stageText(bucket, key) })),
    ]}
    legend={STAGES}
  >
    {(plot) => <Stacks buckets={buckets} plot={plot} />}
  </Chart>
)

function Stacks({ buckets, plot: { x, width, active } }: { buckets: readonly Bucket[]; plot: Plot }) {
  const totals = buckets.map((bucket) => STAGES.reduce((sum, { key }) => sum + (stageMean(bucket, key).value ?? 0), 0))
  const y = yScaleOf(0, Math.max(8, ...totals))
  return (
    <>
      <YAxis scale={y} width={width} text={(value) => `${figure(value)} h`} />
      {buckets.map((bucket) => {
        const place = x(bucket.key)
        const asleep = meanOf(bucket.days, FIGURES.asleepHours)
        if (asleep.missing !== null)
          return <MissingMark key={bucket.key} x={place.center} missing={asleep.missing} width={place.width} />
        let from = 0
        return (
          <g key={bucket.key} className={active && active !== bucket ? "opacity-45" : ""}>
            {STAGES.map(({ key, fill }) => {
              const hours = stageMean(bucket, key).value ?? 0
              const bottom = y(from)
              from += hours
              return (
                <rect
                  key={key}
                  x={place.left}
                  y={y(from)}
                  width={place.width}
                  height={Math.max(bottom - y(from) - 0.75, 0)}
                  className={fill}
                />
              )
            })}
          </g>
        )
      })}
    </>
  )
}
