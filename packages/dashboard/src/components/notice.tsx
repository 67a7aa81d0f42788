import type { ReactNode } from "react"

type Tone = "info" | "good" | "fair" | "poor"

const TONES: Readonly<Record<Tone, string>> = {
  info: "border-accent/30 bg-accent-soft",
  good: "border-good/30 bg-good-soft",
  fair: "border-fair/40 bg-fair-soft",
  poor: "border-poor/40 bg-poor-soft",
}

/** A message on the page. Screen readers read an error at once, and other tones at the next pause. */
export const Notice = ({
  tone = "info",
  title,
  children,
  action,
}: {
  tone?: Tone
  title?: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div
    role={tone === "poor" ? "alert" : "status"}
    className={`flex flex-wrap items-center justify-between gap-3 rounded-xl border px-4 py-3 text-sm ${TONES[tone]}`}
  >
    <div className="min-w-0 flex-1 basis-64">
      {title !== undefined && <p className="font-medium">{title}</p>}
      {children !== undefined && <div className={title === undefined ? "" : "mt-0.5 text-muted"}>{children}</div>}
    </div>
    {action}
  </div>
)
