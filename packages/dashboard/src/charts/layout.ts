import { scaleBand, scaleLinear } from "@visx/scale"
import type { Bucket } from "../trends/buckets.ts"

export const HEIGHT = 210
export const MARGIN = { top: 10, right: 6, bottom: 24, left: 40 } as const

/** Below the lowest value: there the marks of what is missing stand. */
export const FLOOR = HEIGHT - MARGIN.bottom

export type XScale = (key: string) => { readonly left: number; readonly center: number; readonly width: number }

/** Where each place of a chart is. */
export function xScaleOf(buckets: readonly Bucket[], width: number): XScale {
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

/** Values to heights. @param isNice whether the bounds may move outwards to round figures */
export const yScaleOf = (low: number, high: number, isNice = true) =>
  scaleLinear({ domain: [low, high], range: [FLOOR, MARGIN.top], ...(isNice && { nice: 4 }) })

export type YScale = ReturnType<typeof yScaleOf>

/** Room around values that never begin at zero, so that a course can be seen. */
export function spanOf(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1]
  const low = Math.min(...values)
  const high = Math.max(...values)
  const room = (high - low || Math.abs(high) || 1) * 0.12
  return [low - room, high + room]
}
