import type { TrendDay } from "@restwell/client"
import { type DayProps, FromSource } from "./day.tsx"
import { type Dial, dialsOf } from "./dials.ts"

const SIZE = 132
const WIDTH = 10
const RADIUS = (SIZE - WIDTH) / 2
const LENGTH = 2 * Math.PI * RADIUS

/** A value as a filled part of a ring; a dashed ring without a value. */
const Ring = ({ fraction, color, figure, unit, caption }: Dial) => (
  <div className={`@container relative aspect-square w-full max-w-33 shrink-0 ${color}`}>
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" className="size-full -rotate-90">
      <circle
        cx={SIZE / 2}
        cy={SIZE / 2}
        r={RADIUS}
        fill="none"
        strokeWidth={fraction === null ? 2 : WIDTH}
        {...(fraction === null && { strokeDasharray: "4 6" })}
        className={fraction === null ? "stroke-line-strong" : "stroke-raised"}
      />
      {fraction !== null && fraction > 0 && (
        <circle
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={WIDTH}
          strokeLinecap="round"
          strokeDasharray={`${Math.min(fraction, 1) * LENGTH} ${LENGTH}`}
        />
      )}
    </svg>
    <div className="absolute inset-0 flex flex-col items-center justify-center">
      <span
        className={`font-semibold tracking-tight text-text tabular-nums ${figure.length > 4 ? "text-lg @min-[7.5rem]:text-2xl" : "text-2xl @min-[7.5rem]:text-3xl"}`}
      >
        {figure}
        {unit !== "" && <span className="ml-0.5 text-sm font-medium text-muted">{unit}</span>}
      </span>
      <span className="text-[0.6875rem] leading-tight text-muted @min-[7.5rem]:text-xs">{caption}</span>
    </div>
  </div>
)

interface OverviewProps extends DayProps {
  readonly before: readonly TrendDay[]
}

/** The day in up to three rings, side by side on every screen. */
export function Overview({ day, before, isToday, namesSources, preferences: { clock } }: OverviewProps) {
  const dials = dialsOf({ day, before, isToday, clock })
  return (
    <div
      className={`grid gap-2 rounded-2xl border border-line bg-surface p-3 sm:gap-4 sm:p-6 ${dials.length === 3 ? "grid-cols-3" : "grid-cols-2"}`}
    >
      {dials.map((dial) => (
        <section
          key={dial.title}
          aria-label={dial.title}
          className="flex min-w-0 flex-col items-center gap-2 text-center lg:flex-row lg:justify-center lg:gap-5 lg:text-left"
        >
          <Ring {...dial} />
          <div className="min-w-0">
            <h2 className="text-sm font-semibold sm:text-base">{dial.title}</h2>
            <div className="mt-0.5 flex flex-col text-xs text-muted tabular-nums sm:text-sm">
              {dial.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
              {namesSources && dial.source !== null && <FromSource source={dial.source} />}
            </div>
          </div>
        </section>
      ))}
    </div>
  )
}
