import { CalendarDays, ChevronDown } from "lucide-react"
import { type ComponentProps, Suspense, useState } from "react"
import { Button } from "../components/button.tsx"
import { lazyPart } from "../components/error-boundary.tsx"
import { tickDate } from "../format/date.ts"

/** It loads once a day is drawn, so that what it needs to open does not delay the figures. */
const Calendar = lazyPart(() => import("./calendar.tsx"))

/** A button with the date, which opens the calendar, also when it is pressed before the calendar is there. */
export function CalendarButton(props: Omit<ComponentProps<typeof Calendar>, "button" | "before">) {
  const [before] = useState({ isPressed: false, hasFocus: false })
  const { date } = props
  const note = (change: Partial<typeof before>) => () => void Object.assign(before, change)
  const early = (
    <DateButton
      date={date}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={note({ isPressed: true })}
      onFocus={note({ hasFocus: true })}
      onBlur={note({ hasFocus: false })}
    />
  )
  return (
    <Suspense fallback={early}>
      <Calendar {...props} button={<DateButton date={date} />} before={before} />
    </Suspense>
  )
}

const DateButton = ({ date, ...rest }: ComponentProps<typeof Button> & { date: string }) => (
  <Button {...rest} className="min-h-11">
    <CalendarDays size={16} aria-hidden="true" className="max-sm:hidden" />
    <span className="sr-only">Pick a day, now </span>
    {tickDate(date)}
    <ChevronDown size={14} aria-hidden="true" />
  </Button>
)
