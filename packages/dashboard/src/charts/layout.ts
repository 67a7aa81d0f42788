import { scaleBand, scaleLinear } from "@visx/scale"
import type { Bucket } from "../trends/buckets.ts"

export const HEIGHT = 210
export const MARGIN = { top: 10, right: 6, bottom: 24, left: 40 } as const

/** Bottom of the drawing, above the axis labels. */
export const FLOOR = HEIGHT - MARGIN.bottom

export type XScale = (key: string) => { readonly left: number; readonly center: number; readonly width: number }

/** Returns the scale from the key of a bucket to its column. */
export function xScaleOf(buckets: readonly Pick<Bucket, "key">[], width: number): XScale {
  const scale = scaleBand({
    domain: buckets.map(({ key }) => key),
    range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)],
    padding: buckets.length > 45 ? 0.15 : 0.28,
  })
  return (key) => {
    const left = scale(key) ?? 0
    return { left, center: left + scale.bandwidth() / 2, width: scale.bandwidth() }
  }
}

/** Returns the scale from values to heights. @param isNice true to round the bounds outwards */
export const yScaleOf = (low: number, high: number, isNice = true) =>
  scaleLinear({ domain: [low, high], range: [FLOOR, MARGIN.top], ...(isNice && { nice: 4 }) })

export type YScale = ReturnType<typeof yScaleOf>

/** Returns the range of the values with a margin, for a scale that does not start at zero. */
export function paddedRange(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1]
  const low = Math.min(...values)
  const high = Math.max(...values)
  const margin = (high - low || Math.abs(high) || 1) * 0.12
  return [low - margin, high + margin]
}

/** Returns the class of a bucket that is dimmed while the cursor is on another one. */
export const dimming = (bucket: Bucket, active: Bucket | undefined): string =>
  active && active !== bucket ? "opacity-45" : ""
