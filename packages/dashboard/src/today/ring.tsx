const SIZE = 132
const WIDTH = 10
const RADIUS = (SIZE - WIDTH) / 2
const LENGTH = 2 * Math.PI * RADIUS

/** A score as a filled part of a ring; a dashed ring without a score. */
export const Ring = ({
  fraction,
  color,
  figure,
  unit,
  caption,
}: {
  /** 0 to 1; null without a score. */
  fraction: number | null
  /** Text colour class of the ring. */
  color: string
  figure: string
  unit: string
  caption: string
}) => (
  <div className={`relative size-28 md:size-33 shrink-0 ${color}`}>
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
      {fraction !== null && (
        <circle
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={WIDTH}
          strokeLinecap="round"
          strokeDasharray={`${Math.max(0, Math.min(fraction, 1)) * LENGTH} ${LENGTH}`}
        />
      )}
    </svg>
    <div className="absolute inset-0 flex flex-col items-center justify-center">
      <span className="text-3xl font-semibold tracking-tight text-text tabular-nums">
        {figure}
        {unit !== "" && <span className="ml-0.5 text-base font-medium text-muted">{unit}</span>}
      </span>
      <span className="text-xs text-muted">{caption}</span>
    </div>
  </div>
)
