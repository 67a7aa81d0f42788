import type { TrendDay } from "@restwell/client"
import type { Figure } from "../trends/figures.ts"

const WIDTH = 120
const HEIGHT = 32
const PAD = 3

/** Where a day is, percent of the width. */
export const positionOf = (index: number, count: number): number =>
  ((PAD + (index / Math.max(count - 1, 1)) * (WIDTH - 2 * PAD)) / WIDTH) * 100

type Band = TrendDay["hrv_band"]

interface SparklineProps {
  readonly figures: readonly Figure[]
  /** The usual range on each of the same days. */
  readonly bands: readonly Band[]
  readonly color: string
}

/** A small line of the last days over the usual range. Days without a value are gaps, and the line breaks where the source changes. */
export function Sparkline({ figures, bands, color }: SparklineProps) {
  const known = [
    ...figures.flatMap(({ value }) => (value === null ? [] : [value])),
    ...bands.flatMap((band) => (band === null ? [] : [band.low, band.high])),
  ]
  const low = Math.min(...known)
  const high = Math.max(...known)
  const x = (index: number) => PAD + (index / Math.max(figures.length - 1, 1)) * (WIDTH - 2 * PAD)
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD)
  const last = figures.at(-1)?.value ?? null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`mt-auto h-8 w-full pt-1 ${color}`}
    >
      <path d={bandPathOf(figures, bands, x, y)} className="fill-band" />
      <path
        d={pathOf(figures, x, y)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last !== null && (
        <path
          d={`M${x(figures.length - 1)} ${y(last)}h0`}
          stroke="currentColor"
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

type Scale = (of: number) => number

function pathOf(figures: readonly Figure[], x: Scale, y: Scale): string {
  let path = ""
  let last: string | null | undefined
  for (const [index, { value, source }] of figures.entries()) {
    if (value !== null) path += `${source === last ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    last = value === null ? undefined : source
  }
  return path
}

/** An area for each run of days with a range of one source. A day without a value continues the range before it. */
function bandPathOf(figures: readonly Figure[], bands: readonly Band[], x: Scale, y: Scale): string {
  const runs: { readonly index: number; readonly low: number; readonly high: number }[][] = []
  let source: string | null = null
  let isOpen = false
  for (const [index, band] of bands.entries()) {
    const own: string | null = figures[index]?.source ?? source
    if (band && isOpen && own === source) runs.at(-1)?.push({ index, ...band })
    else if (band) runs.push([{ index, ...band }])
    source = own
    isOpen = band !== null
  }
  const point = (index: number, value: number) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
  return runs
    .map((run) => {
      const upper = run.map(({ index, high }) => point(index, high))
      const lower = run.toReversed().map(({ index, low }) => point(index, low))
      return `M${[...upper, ...lower].join("L")}Z`
    })
    .join("")
}
