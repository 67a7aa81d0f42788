import { providerName } from "../format/provider-name.ts"
import { FLOOR, MARGIN, type XScale } from "./layout.ts"
import type { SourceChange } from "./with-sources.ts"

/** Width of a letter of the labels. */
const LETTER_WIDTH = 6
const PADDING = 4

/** A dashed line where the values of another source begin, and the names of the sources where they fit. */
export function SourceChanges({ changes, x, width }: { changes: readonly SourceChange[]; x: XScale; width: number }) {
  if (changes.length < 2) return null
  const edges = changes.map(({ bucket }, index) => (index === 0 ? MARGIN.left : edgeOf(x, bucket.key)))
  return (
    <g>
      {changes.map(({ bucket, source }, index) => {
        const edge = edges[index] ?? MARGIN.left
        const name = providerName(source)
        const space = (edges[index + 1] ?? width - MARGIN.right) - edge
        return (
          <g key={bucket.key} transform={`translate(${edge} 0)`}>
            {index > 0 && <line y1={0} y2={FLOOR} className="stroke-muted" strokeDasharray="2 3" />}
            {name.length * LETTER_WIDTH + 2 * PADDING <= space && (
              <text x={PADDING} y={7} className="fill-muted text-[10px]">
                {name}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** The middle of the gap before a bucket. */
function edgeOf(x: XScale, key: string): number {
  const { left, width } = x(key)
  return left - width * 0.2
}
