import { figure } from "../format/number.ts"
import type { Bucket } from "../trends/days.ts"
import { FIGURES, MAX_STRAIN } from "../trends/figures.ts"
import { recoveryFill, recoveryScale, scoreAndBand } from "../trends/recovery-band.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import type { ChartFrame } from "./chart-panel.tsx"
import { FLOOR, HEIGHT, MARGIN, yScaleOf } from "./layout.ts"
import { meanOf, meanText } from "./means.ts"

const STRAIN_TICKS = [0, 7, 14, MAX_STRAIN]

const recoveryIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.recovery)
const strainIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.strain)
const recoveryText = (bucket: Bucket): string => meanText(recoveryIn(bucket), bucket, scoreAndBand)
const strainText = (bucket: Bucket): string => {
  const isOpen = bucket.days.length === 1 && bucket.days[0]?.strain?.is_open === true
  return meanText(strainIn(bucket), bucket, (strain) => `${figure(strain, 1)}${isOpen ? " so far" : ""}`)
}

/** A point per bucket: recovery on the horizontal axis, strain on the vertical one. */
export function StrainRecoveryChart({ buckets, frame }: { buckets: readonly Bucket[]; frame: ChartFrame }) {
  const { legend, ticks } = recoveryScale(buckets.map((bucket) => recoveryIn(bucket).source))
  return (
    <Chart
      {...frame}
      title="Strain against recovery"
      buckets={buckets}
      describe={(bucket) => `${bucket.label}: recovery ${recoveryText(bucket)}, strain ${strainText(bucket)}`}
      columns={[
        { header: "Recovery", cell: recoveryText },
        { header: "Strain", cell: strainText },
      ]}
      legend={legend}
      positions={(width) => buckets.map((bucket) => positionOf(bucket, width))}
    >
      {(plot) => <Points buckets={buckets} ticks={ticks} plot={plot} />}
    </Chart>
  )
}

const y = yScaleOf(0, MAX_STRAIN, false)
const xOf = (recovery: number, width: number): number =>
  MARGIN.left + (recovery / 100) * (width - MARGIN.left - MARGIN.right - 10)

function positionOf(bucket: Bucket, width: number): readonly [number, number] | null {
  const recovery = recoveryIn(bucket).value
  const strain = strainIn(bucket).value
  return recovery === null || strain === null ? null : [xOf(recovery, width), y(strain)]
}

interface PointsProps {
  readonly buckets: readonly Bucket[]
  readonly ticks: readonly number[]
  readonly plot: Plot
}

function Points({ buckets, ticks, plot: { width, described } }: PointsProps) {
  return (
    <>
      <YAxis scale={y} width={width} text={figure} ticks={STRAIN_TICKS} />
      {ticks.map((recovery) => (
        <g key={recovery} transform={`translate(${xOf(recovery, width)} 0)`}>
          <line y1={MARGIN.top} y2={FLOOR} className="stroke-line" />
          <text y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-[11px]">
            {recovery} %
          </text>
        </g>
      ))}
      {buckets.map((bucket) => {
        const position = positionOf(bucket, width)
        const { value: recovery, source } = recoveryIn(bucket)
        if (!position || recovery === null) return null
        const isOutlined = bucket === described
        return (
          <circle
            key={bucket.key}
            cx={position[0]}
            cy={position[1]}
            r={isOutlined ? 6 : 4}
            strokeWidth={2}
            className={`${recoveryFill(recovery, source)} ${isOutlined ? "stroke-text" : "stroke-surface"}`}
          />
        )
      })}
    </>
  )
}
