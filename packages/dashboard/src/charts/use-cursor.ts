import { type KeyboardEvent, type PointerEvent, useState } from "react"

const PAGE_STEP = 7

/** The index of the value under the cursor, which moves by pointer or keyboard. */
export function useCursor(count: number, nearest: (x: number, y: number) => number | undefined) {
  const [index, setIndex] = useState<number>()
  const current = index === undefined ? undefined : Math.min(index, count - 1)
  const go = (to: number) => setIndex(Math.max(0, Math.min(to, count - 1)))
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
    go(target)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const found = nearest(event.clientX - box.left, event.clientY - box.top)
    if (found !== undefined) go(found)
  }
  return {
    index: current,
    handlers: {
      onKeyDown,
      onPointerMove,
      onPointerDown: onPointerMove,
      onPointerLeave: () => setIndex(undefined),
      onFocus: () => go(current ?? count - 1),
      onBlur: () => setIndex(undefined),
    },
  }
}
