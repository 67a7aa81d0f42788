import { ArrowDown, ArrowUp, GripVertical } from "lucide-react"
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Button } from "./button.tsx"

interface Drag {
  readonly from: number
  readonly to: number
  /** Pixels that the row was dragged down. */
  readonly offset: number
  readonly startY: number
  readonly rowHeight: number
}

/** Drags the rows of a list, which are equally high. Rows make room while one is dragged. Escape takes it back. */
function useDragOrder(count: number, onMove: (from: number, to: number) => void) {
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

const DIRECTIONS = [
  { name: "up", step: -1, Icon: ArrowUp },
  { name: "down", step: 1, Icon: ArrowDown },
] as const

interface OrderItem {
  readonly key: string
  readonly name: string
  readonly note?: string
}

interface OrderListProps {
  /** What the order is for: "for sleep". */
  readonly purpose: string
  readonly items: readonly OrderItem[]
  readonly onMove: (from: number, to: number) => void
  /** A button at the end of a row. */
  readonly actionOf?: (item: OrderItem) => ReactNode
}

/** Items in order. Rows move by drag and by two buttons. A button at an end stays enabled, because disabling it would lose the focus. */
export function OrderList({ purpose, items, onMove, actionOf }: OrderListProps) {
  const { list, handlersOf, draggedIndex, shiftOf } = useDragOrder(items.length, onMove)
  return (
    <ol ref={list} aria-label={`Order ${purpose}`} className="rounded-xl border border-line">
      {items.map((item, index) => {
        const { key, name, note } = item
        const isDragged = index === draggedIndex
        return (
          <li
            key={key}
            style={{ transform: `translateY(${shiftOf(index)}px)` }}
            className={`flex min-h-12 items-center gap-2 bg-surface pr-1.5 text-sm max-sm:gap-1 not-first:border-t not-first:border-line first:rounded-t-xl last:rounded-b-xl ${
              isDragged ? "relative z-10 rounded-xl shadow-lg ring-2 ring-accent" : ""
            } ${draggedIndex !== undefined && !isDragged ? "transition-transform" : ""}`}
          >
            <span
              aria-hidden="true"
              title={`Drag ${name}`}
              className={`flex h-12 w-9 touch-none items-center justify-center text-muted ${isDragged ? "cursor-grabbing" : "cursor-grab"}`}
              {...handlersOf(index)}
            >
              <GripVertical size={16} />
            </span>
            <span className="w-4 text-muted tabular-nums max-sm:hidden">{index + 1}</span>
            <span className="min-w-0 flex-1 leading-tight font-medium max-sm:py-2">
              {name}
              {note !== undefined && (
                <span className="ml-2 font-normal text-muted max-sm:ml-0 max-sm:block">{note}</span>
              )}
            </span>
            {DIRECTIONS.map(({ name: direction, step, Icon }) => {
              const isEnd = index + step < 0 || index + step >= items.length
              return (
                <Button
                  key={direction}
                  look="quiet"
                  aria-label={`Move ${name} ${direction} ${purpose}`}
                  aria-disabled={isEnd}
                  className={`max-sm:w-11 max-sm:px-0 ${isEnd ? "cursor-default opacity-35 hover:bg-transparent" : ""}`}
                  onClick={() => !isEnd && onMove(index, index + step)}
                >
                  <Icon size={16} aria-hidden="true" />
                </Button>
              )
            })}
            {actionOf?.(item)}
          </li>
        )
      })}
    </ol>
  )
}

/** The items with one at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1))
}
