import { type FormEvent, useState } from "react"
import { type Dates, type Period, periodSearch } from "../trends/days.ts"
import { Button } from "./button.tsx"
import { Segmented } from "./choice.tsx"

const OWN_DATES = "own"

const RANGES = [
  { value: "7", label: "7 days", short: "7 d" },
  { value: "30", label: "30 days", short: "30 d" },
  { value: "90", label: "90 days", short: "90 d" },
  { value: "365", label: "Year" },
  { value: "all", label: "All" },
  { value: OWN_DATES, label: "Dates" },
] as const

interface RangePickerProps {
  readonly period: Period
  /** The dates of the page, from which own ones start. */
  readonly dates: Dates | undefined
  readonly onChange: (period: Period) => void
  /** The range at which own dates were asked for. The page keeps it, because it draws this choice again when its data arrives. */
  readonly askedAt: string | undefined
  readonly onAsk: (askedAt: string | undefined) => void
}

/** A choice of the last 7, 30, 90 or 365 days, of all days, or of own dates. */
export function RangePicker({ period, dates, onChange, askedAt, onAsk }: RangePickerProps) {
  // Own dates are asked for until another range is shown.
  const isOwn = typeof period === "object" || askedAt === periodSearch(period)
  const value = isOwn ? OWN_DATES : RANGES.find(({ value: each }) => each === String(period))?.value
  return (
    <div className="flex flex-col items-end gap-2 max-sm:w-full">
      <Segmented
        label="Range"
        options={RANGES}
        value={value}
        onChange={(chosen) => {
          if (chosen === OWN_DATES) onAsk(periodSearch(period))
          else {
            onAsk(undefined)
            onChange(chosen === "all" ? chosen : Number(chosen))
          }
        }}
      />
      {isOwn && <OwnDates key={JSON.stringify(dates)} dates={dates} onChange={onChange} />}
    </div>
  )
}

function OwnDates({ dates, onChange }: Pick<RangePickerProps, "dates" | "onChange">) {
  const [start, setStart] = useState(dates?.start_date ?? "")
  const [end, setEnd] = useState(dates?.end_date ?? "")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ start_date: start, end_date: end })
  }
  return (
    <form aria-label="Own dates" onSubmit={submit} className="flex flex-wrap items-end gap-2 max-sm:w-full">
      <DateField label="From" value={start} max={end} onChange={setStart} />
      <DateField label="To" value={end} min={start} onChange={setEnd} />
      <Button type="submit" className="min-h-10">
        Show
      </Button>
    </form>
  )
}

interface DateFieldProps {
  readonly label: string
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onChange: (date: string) => void
}

/** The browser refuses a date that is missing or on the wrong side of the other one. */
const DateField = ({ label, onChange, ...field }: DateFieldProps) => (
  <label className="flex flex-1 items-center gap-2 text-sm text-muted">
    {label}
    <input
      type="date"
      required
      {...field}
      onChange={({ target }) => onChange(target.value)}
      className="min-h-10 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2 text-text"
    />
  </label>
)
