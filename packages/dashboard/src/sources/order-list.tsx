import type { Connection } from "@restwell/client"
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react"
import { Button } from "../components/button.tsx"
import { providerName } from "../format/provider-name.ts"
import { useDragOrder } from "./use-drag-order.ts"

const DIRECTIONS = [
  { name: "up", step: -1, Icon: ArrowUp },
  { name: "down", step: 1, Icon: ArrowDown },
] as const

/** Sources in order. Rows move by drag and by two buttons. A button at an end stays enabled, because disabling it would lose the focus. */
export function OrderList({
  label,
  sources,
  onMove,
}: {
  /** What the order is for: "sleep". */
  label: string
  sources: readonly Connection[]
  onMove: (from: number, to: number) => void
}) {
  const { list, handlersOf, draggedIndex, shiftOf } = useDragOrder(sources.length, onMove)
  return (
    <ol ref={list} aria-label={`Order for ${label}`} className="rounded-xl border border-line">
      {sources.map(({ provider, status }, index) => {
        const isDragged = index === draggedIndex
        const name = providerName(provider)
        return (
          <li
            key={provider}
            style={{ transform: `translateY(${shiftOf(index)}px)` }}
            className={`flex min-h-12 items-center gap-2 bg-surface pr-1.5 text-sm not-first:border-t not-first:border-line first:rounded-t-xl last:rounded-b-xl ${
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
            <span className="w-4 text-muted tabular-nums">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate font-medium">
              {name}
              {status === "archive" && <span className="ml-2 font-normal text-muted">archive</span>}
            </span>
            {DIRECTIONS.map(({ name: direction, step, Icon }) => {
              const isEnd = index + step < 0 || index + step >= sources.length
              return (
                <Button
                  key={direction}
                  look="quiet"
                  aria-label={`Move ${name} ${direction} for ${label}`}
                  aria-disabled={isEnd}
                  className={isEnd ? "cursor-default opacity-35 hover:bg-transparent" : ""}
                  onClick={() => !isEnd && onMove(index, index + step)}
                >
                  <Icon size={16} aria-hidden="true" />
                </Button>
              )
            })}
          </li>
        )
      })}
    </ol>
  )
}
