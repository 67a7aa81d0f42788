import type { ReactNode } from "react"
import { figure, hoursText } from "../format/number.ts"
import type { Bucket } from "../trends/buckets.ts"
import { FIGURES, sleepFigure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { SLEEP_STAGES } from "../trends/sleep-stages.ts"
import { YAxis } from "./axes.tsx"
import { Chart } from "./chart.tsx"
import type { Plot } from "./chart-props.ts"
import { dimming, yScaleOf } from "./layout.ts"
import { meanText } from "./mean-text.ts"

type StageKey = (typeof SLEEP_STAGES)[number]["key"]

const asleepIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.asleepHours)
const hoursIn = (bucket: Bucket, key: StageKey): number | null =>
  meanOf(
    bucket.days,
    sleepFigure((sleep) => sleep[key]),
  ).value
const asleepText = (bucket: Bucket): string => meanText(asleepIn(bucket), bucket, hoursText)
const stageText = (bucket: Bucket, key: StageKey): string => hoursText(hoursIn(bucket, key))

const describe = (bucket: Bucket): string => {
  const asleep = `${bucket.label}: ${asleepText(bucket)}`
  if (asleepIn(bucket).value === null) return asleep
  return `${asleep} asleep: ${SLEEP_STAGES.map(({ key, label }) => `${label} ${stageText(bucket, key)}`).join(", ")}`
}

/** The sleep stages as stacked columns. */
export const StagesChart = ({ buckets, footer }: { buckets: readonly Bucket[]; footer?: ReactNode }) => (
  <Chart
    title="Sleep stages"
    footer={footer}
    description="Hours in each stage of the main sleep."
    buckets={buckets}
    missingIn={(bucket) => asleepIn(bucket).missing}
    sourceIn={(bucket) => asleepIn(bucket).source}
    describe={describe}
    columns={[
      { header: "Asleep", cell: asleepText },
      ...SLEEP_STAGES.map(({ key, label }) => ({ header: label, cell: (bucket: Bucket) => stageText(bucket, key) })),
    ]}
    legend={SLEEP_STAGES}
  >
    {(plot) => <Stacks buckets={buckets} plot={plot} />}
  </Chart>
)

function Stacks({ buckets, plot: { x, width, active } }: { buckets: readonly Bucket[]; plot: Plot }) {
  const stacks = buckets.map((bucket) => {
    let top = 0
    const parts = SLEEP_STAGES.map(({ key, fill }) => {
      const bottom = top
      top += hoursIn(bucket, key) ?? 0
      return { key, fill, bottom, top }
    })
    return { bucket, parts: asleepIn(bucket).value === null ? [] : parts, total: top }
  })
  const y = yScaleOf(0, Math.max(8, ...stacks.map(({ total }) => total)))
  return (
    <>
      <YAxis scale={y} width={width} text={(value) => `${figure(value)} h`} />
      {stacks.map(({ bucket, parts }) => (
        <g key={bucket.key} className={dimming(bucket, active)}>
          {parts.map(({ key, fill, bottom, top }) => (
            <rect
              key={key}
              x={x(bucket.key).left}
              y={y(top)}
              width={x(bucket.key).width}
              height={Math.max(y(bottom) - y(top) - 0.75, 0)}
              className={fill}
            />
          ))}
        </g>
      ))}
    </>
  )
}
