import { type PointerEvent, useEffect, useRef, useState } from "react"

interface Drag {
  readonly from: number
  readonly to: number
  /** Pixels that the row was dragged down. */
  readonly offset: number
  readonly startY: number
  readonly rowHeight: number
}

/** Drags the rows of a list, which are equally high. Rows make room while one is dragged. Escape takes it back. */
export function useDragOrder(count: number, onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return
    const cancel = (event: KeyboardEvent) => event.key === "Escape" && setDrag(undefined)
    window.addEventListener("keydown", cancel)
    return () => window.removeEventListener("keydown", cancel)
  }, [isDragging])
  const handlersOf = (from: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !list.current) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const rowHeight = list.current.getBoundingClientRect().height / count
      setDrag({ from, to: from, offset: 0, startY: event.clientY, rowHeight })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag) return
      const offset = event.clientY - drag.startY
      const to = Math.max(0, Math.min(from + Math.round(offset / drag.rowHeight), count - 1))
      setDrag({ ...drag, offset, to })
    },
    onPointerUp: () => {
      if (drag && drag.to !== drag.from) onMove(drag.from, drag.to)
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })
  return { list, handlersOf, draggedIndex: drag?.from, shiftOf: (index: number) => shiftOf(index, drag) }
}

/** Pixels by which a row is drawn below its place. */
function shiftOf(index: number, drag: Drag | undefined): number {
  if (!drag) return 0
  const { from, to, offset, rowHeight } = drag
  if (index === from) return offset
  if (index > from && index <= to) return -rowHeight
  return index < from && index >= to ? rowHeight : 0
}
