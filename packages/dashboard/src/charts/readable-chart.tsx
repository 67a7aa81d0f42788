import type { ReactNode } from "react"
import { useCursor, useWidth } from "./layout.ts"

interface ReadableChartProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  /** One item as text. */
  readonly describe: (item: Item) => string
  readonly height: number
  /** Text while no item is selected. @default the item at `restingIndex` */
  readonly hint?: string
  /** The item that is described while none is selected. @default the last one */
  readonly restingIndex?: number
  /** What an item is. @default "value" */
  readonly itemName?: string
  /** Classes of the line above the drawing. */
  readonly textClass?: string
  /** What can be done with the item that was tapped or chosen by a key, beside its text. */
  readonly actionOf?: (item: Item) => ReactNode
  /** The index of the item that is nearest to the pointer. */
  readonly nearest: (pointer: { readonly x: number; readonly y: number; readonly width: number }) => number | undefined
  readonly children: (drawing: {
    readonly width: number
    readonly active: Item | undefined
    /** The item that the text above the drawing describes. */
    readonly described: Item | undefined
  }) => ReactNode
}

/**
 * A drawing whose items can be read one by one with pointer or arrow keys. For screen readers it is a slider whose value text describes one
 * item. WCAG 1.1.1, 2.1.1.
 */
export function ReadableChart<Item>({
  title,
  items,
  describe,
  height,
  hint,
  restingIndex = items.length - 1,
  itemName = "value",
  textClass = "min-h-5 text-xs",
  actionOf,
  nearest,
  children,
}: ReadableChartProps<Item>) {
  const [element, width] = useWidth<HTMLDivElement>()
  const cursor = useCursor(items.length, (x, y) => nearest({ x, y, width }))
  const active = cursor.index === undefined ? undefined : items[cursor.index]
  const chosen = cursor.chosen === undefined ? undefined : items[cursor.chosen]
  const lastIndex = Math.max(items.length - 1, 0)
  const resting = Math.max(restingIndex, 0)
  const described = active ?? items[resting]
  const text = described === undefined ? "no data" : describe(described)
  return (
    <>
      <div className={`flex items-start justify-between gap-x-3 text-muted print:hidden ${textClass}`}>
        <p aria-hidden="true" className="text-pretty tabular-nums">
          {active === undefined ? (hint ?? text) : text}
        </p>
        {chosen !== undefined && actionOf?.(chosen)}
      </div>
      <div
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, use the arrow keys to read each ${itemName}`}
        aria-orientation="horizontal"
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={cursor.index ?? resting}
        aria-valuetext={text}
        className="touch-pan-y rounded-lg print:h-auto!"
        style={{ height }}
        {...cursor.handlers}
      >
        {width > 0 && (
          // On paper the drawing of the screen is scaled to the column.
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            aria-hidden="true"
            className="block overflow-visible print:h-auto print:w-full"
          >
            {children({ width, active, described: active ?? (hint === undefined ? described : undefined) })}
          </svg>
        )}
      </div>
    </>
  )
}
