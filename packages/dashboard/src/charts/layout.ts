import { scaleBand, scaleLinear } from "@visx/scale"
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react"
import type { Bucket } from "../trends/days.ts"
import { FLOOR, MARGIN } from "./sizes.ts"

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

/** Returns round marks of a scale from zero to the highest value. */
export const ticksUpTo = (values: readonly number[]): readonly number[] => yScaleOf(0, Math.max(1, ...values)).ticks(4)

export type YScale = ReturnType<typeof yScaleOf>

/** Returns the range of the values with a margin, for a scale that does not start at zero. */
export function paddedRange(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1]
  const low = Math.min(...values)
  const high = Math.max(...values)
  const margin = (high - low || Math.abs(high) || 1) * 0.12
  return [low - margin, high + margin]
}

/** Returns the index of the position that is nearest to the pointer. */
export function nearestOf(
  positions: readonly (readonly [number, number] | null)[],
  pointerX: number,
  pointerY: number,
): number | undefined {
  const distances = positions.map((position) =>
    position ? Math.hypot(position[0] - pointerX, position[1] - pointerY) : Number.POSITIVE_INFINITY,
  )
  const shortest = Math.min(...distances)
  return Number.isFinite(shortest) ? distances.indexOf(shortest) : undefined
}

/** Returns the class of a bucket that is dimmed while the cursor is on another one. */
export const dimming = (bucket: Bucket, active: Bucket | undefined): string =>
  active && active !== bucket ? "opacity-45" : ""

/** The current width of an element in CSS pixels; 0 before layout. */
export function useWidth<Kind extends HTMLElement>(): [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}

const PAGE_STEP = 7

/**
 * The index of the value under the cursor, which moves by pointer or keyboard. What was tapped, clicked or chosen by a key stays chosen when
 * the pointer or the focus leaves.
 */
export function useCursor(count: number, nearest: (x: number, y: number) => number | undefined) {
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  const within = (index: number) => Math.max(0, Math.min(index, count - 1))
  const index = pointed ?? chosen
  const current = index === undefined ? undefined : within(index)
  const onKeyDown = (event: KeyboardEvent) => {
    const from = current ?? count - 1
    const targets: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      PageDown: from - PAGE_STEP,
      PageUp: from + PAGE_STEP,
      Home: 0,
      End: count - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    setChosen(within(target))
    setPointed(within(target))
  }
  const indexAt = (event: PointerEvent<HTMLElement>): number | undefined => {
    const box = event.currentTarget.getBoundingClientRect()
    return nearest(event.clientX - box.left, event.clientY - box.top)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const found = indexAt(event)
    if (found !== undefined) setPointed(within(found))
  }
  return {
    index: current,
    chosen: chosen === undefined ? undefined : within(chosen),
    handlers: {
      onKeyDown,
      onPointerMove,
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        onPointerMove(event)
        setChosen(indexAt(event))
      },
      onPointerLeave: () => setPointed(undefined),
      onFocus: () => setPointed(current ?? count - 1),
      onBlur: () => setPointed(undefined),
    },
  }
}
