import { ChevronLeft, ChevronRight } from "lucide-react"
import { Button } from "../components/button.tsx"
import { addDays } from "../format/date.ts"
import { Calendar } from "./calendar.tsx"

export interface DayNavigationProps {
  readonly date: string
  readonly today: string
  /** The first date of the history. */
  readonly oldest: string
  /** From `dataVersion`. */
  readonly version: string
  readonly onChange: (date: string) => void
}

/** One day back or forward, or any day from the calendar. */
export const DayNavigation = (props: DayNavigationProps) => {
  const { date, today, oldest, onChange } = props
  return (
    <>
      <Button
        className="min-h-11 min-w-11 px-2"
        onClick={() => onChange(addDays(date, -1))}
        disabled={date <= oldest}
        aria-label="Previous day"
      >
        <ChevronLeft size={18} aria-hidden="true" />
      </Button>
      <Calendar {...props} />
      <Button
        className="min-h-11 min-w-11 px-2"
        onClick={() => onChange(addDays(date, 1))}
        disabled={date >= today}
        aria-label="Next day"
      >
        <ChevronRight size={18} aria-hidden="true" />
      </Button>
    </>
  )
}
