import { Popover } from "@base-ui/react/popover"
import { addDays } from "@restwell/client/calendar-dates"
import { firstWeekday } from "@restwell/client/figures"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { type KeyboardEvent, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react"
import { useCalendarDays, useCalendarJournal } from "../api/journal.ts"
import { usePreferences } from "../api/preferences.ts"
import { Button } from "../components/button.tsx"
import { longDate, monthOf, WEEKDAYS } from "../format/date.ts"
import {
  addMonths,
  type CalendarFigure,
  type Cell,
  calendarFigures,
  columnOf,
  firstOf,
  inMonth,
  lastOf,
  monthOfDate,
  monthsBetween,
  weeksOf,
} from "./calendar-figures.ts"

interface MonthViewProps {
  readonly date: string
  readonly today: string
  readonly oldest: string
  readonly version: string
  readonly onChange: (date: string) => void
}

interface CalendarProps extends MonthViewProps {
  readonly button: ReactElement
  /** What the person did with the button before this script was there. */
  readonly before: { readonly isPressed: boolean; readonly hasFocus: boolean }
}

/** Lets a button open a month coloured by a figure. Any day of the history can be picked. */
export default function Calendar({ button, before, onChange, ...props }: CalendarProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  // At the moment at which the button replaces the one that stood for it.
  useLayoutEffect(() => {
    if (before.hasFocus) trigger.current?.focus()
    if (before.isPressed) setOpen(true)
  }, [before])
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger ref={trigger} render={button} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" collisionPadding={12} className="z-20">
          <Popover.Popup
            aria-label="Calendar"
            ref={popup}
            // The day, once it can be seen. A month that is drawn later moves the focus itself.
            initialFocus={() => popup.current?.querySelector<HTMLElement>("[data-date][tabindex='0']") ?? false}
            className="w-86 max-w-[calc(100vw-1.5rem)] rounded-2xl border border-line bg-surface p-4 text-text shadow-xl outline-none"
          >
            <MonthView
              {...props}
              onChange={(picked) => {
                setOpen(false)
                onChange(picked)
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const STORED = "calendar-figure"

function MonthView({ date, today, oldest, version, onChange }: MonthViewProps) {
  const [focused, setFocused] = useState(date)
  const [figureId, setFigureId] = useState(() => localStorage.getItem(STORED))
  const month = monthOfDate(focused)
  const dates = { from: firstOf(month), to: lastOf(month) < today ? lastOf(month) : today }
  const days = useCalendarDays(dates, version).data?.days ?? []
  const journal = useCalendarJournal(dates, version).data?.days ?? []
  const figures = calendarFigures(days, journal)
  const figure = figures.find(({ id }) => id === figureId) ?? figures[0]
  const within = (wanted: string): string => (wanted < oldest ? oldest : wanted > today ? today : wanted)
  const goTo = (wanted: string) => setFocused(within(wanted))
  if (!figure) return null
  const cells = new Map(
    days.map((day) => [
      day.date,
      figure.cellOf(
        day,
        journal.find(({ date: answered }) => answered === day.date),
      ),
    ]),
  )
  return (
    <>
      <MonthHeader month={month} oldest={oldest} today={today} onChange={(wanted) => goTo(inMonth(focused, wanted))} />
      <MonthGrid
        month={month}
        cells={cells}
        selected={date}
        focused={focused}
        isSelectable={(each) => each >= oldest && each <= today}
        today={today}
        onFocus={goTo}
        onPick={onChange}
      />
      <div className="mt-3 flex items-center justify-between gap-3">
        <FigurePicker
          figures={figures}
          figure={figure}
          onPick={(id) => {
            localStorage.setItem(STORED, id)
            setFigureId(id)
          }}
        />
        <Button look="quiet" className="min-h-11" onClick={() => onChange(today)} disabled={date === today}>
          Today
        </Button>
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
        {figure.legend.map(({ label, color }) => (
          <li key={label} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-3 rounded-sm border border-line-strong"
              style={{ backgroundColor: color }}
            />
            {label}
          </li>
        ))}
      </ul>
    </>
  )
}

interface MonthHeaderProps {
  readonly month: string
  readonly oldest: string
  readonly today: string
  readonly onChange: (month: string) => void
}

const MonthHeader = ({ month, oldest, today, onChange }: MonthHeaderProps) => (
  <div className="flex items-center justify-between gap-2">
    <Button
      look="quiet"
      className="min-h-11 min-w-11 px-2"
      aria-label="Previous month"
      disabled={month <= monthOfDate(oldest)}
      onClick={() => onChange(addMonths(month, -1))}
    >
      <ChevronLeft size={18} aria-hidden="true" />
    </Button>
    <select
      aria-label="Month"
      value={month}
      onChange={({ target }) => onChange(target.value)}
      className="min-h-11 rounded-lg bg-surface px-2 font-semibold hover:bg-raised"
    >
      {monthsBetween(oldest, today).map((each) => (
        <option key={each} value={each}>
          {monthOf(firstOf(each))}
        </option>
      ))}
    </select>
    <Button
      look="quiet"
      className="min-h-11 min-w-11 px-2"
      aria-label="Next month"
      disabled={month >= monthOfDate(today)}
      onClick={() => onChange(addMonths(month, 1))}
    >
      <ChevronRight size={18} aria-hidden="true" />
    </Button>
  </div>
)

interface MonthGridProps {
  readonly month: string
  readonly cells: ReadonlyMap<string, Cell>
  readonly selected: string
  readonly focused: string
  readonly today: string
  readonly isSelectable: (date: string) => boolean
  readonly onFocus: (date: string) => void
  readonly onPick: (date: string) => void
}

const columnsFrom = (first: number) => [...WEEKDAYS.slice(first), ...WEEKDAYS.slice(0, first)]

/** @see https://www.w3.org/WAI/ARIA/apg/patterns/dialog-modal/examples/datepicker-dialog/ for the keys */
const MOVES: Readonly<Record<string, (date: string, firstWeekday: number) => string>> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  PageUp: (date) => inMonth(date, addMonths(monthOfDate(date), -1)),
  PageDown: (date) => inMonth(date, addMonths(monthOfDate(date), 1)),
  Home: (date, firstWeekday) => addDays(date, -columnOf(date, firstWeekday)),
  End: (date, firstWeekday) => addDays(date, 6 - columnOf(date, firstWeekday)),
}

function MonthGrid({ month, cells, selected, focused, today, isSelectable, onFocus, onPick }: MonthGridProps) {
  const first = firstWeekday(usePreferences().first_weekday)
  const columns = columnsFrom(first)
  const grid = useRef<HTMLTableElement>(null)
  // Without this, a day loses the focus when it is drawn again, because weeks begin on another day or data arrived.
  const holdsFocus = useRef(true)
  useEffect(() => {
    if (holdsFocus.current) grid.current?.querySelector<HTMLElement>(`[data-date="${focused}"]`)?.focus()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (!move) return
    event.preventDefault()
    onFocus(move(focused, first))
  }
  return (
    <table
      ref={grid}
      aria-label={monthOf(firstOf(month))}
      className="mt-2 w-full table-fixed"
      onFocus={({ target }) => {
        holdsFocus.current = true
        if (target.dataset["date"] !== undefined) onFocus(target.dataset["date"])
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        holdsFocus.current = relatedTarget === null || currentTarget.contains(relatedTarget)
      }}
    >
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" abbr={name} className="pb-1 text-xs font-normal text-muted">
              <span aria-hidden="true">{name.slice(0, 2)}</span>
              <span className="sr-only">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month, first).map((week) => (
          <tr key={week.find((date) => date !== undefined)}>
            {week.map((date, column) => (
              <td key={date ?? columns[column]} className="p-0.5">
                {date !== undefined && (
                  <DayButton
                    date={date}
                    cell={cells.get(date)}
                    isSelected={date === selected}
                    isToday={date === today}
                    isInTabOrder={date === focused}
                    isDisabled={!isSelectable(date)}
                    onKeyDown={onKeyDown}
                    onPick={onPick}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayButtonProps {
  readonly date: string
  readonly cell: Cell | undefined
  readonly isSelected: boolean
  readonly isToday: boolean
  readonly isInTabOrder: boolean
  readonly isDisabled: boolean
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPick: (date: string) => void
}

const DayButton = ({
  date,
  cell,
  isSelected,
  isToday,
  isInTabOrder,
  isDisabled,
  onKeyDown,
  onPick,
}: DayButtonProps) => (
  <button
    type="button"
    data-date={date}
    tabIndex={isInTabOrder ? 0 : -1}
    disabled={isDisabled}
    aria-current={isToday ? "date" : undefined}
    aria-label={cell ? `${longDate(date)}: ${cell.text}` : longDate(date)}
    aria-pressed={isSelected}
    onKeyDown={onKeyDown}
    onClick={() => onPick(date)}
    style={{ backgroundColor: cell?.color }}
    className={`flex h-11 w-full items-center justify-center rounded-lg text-sm tabular-nums hover:ring-2 hover:ring-line-strong disabled:text-muted disabled:opacity-50 disabled:hover:ring-0 ${isSelected ? "font-semibold ring-2 ring-text" : ""} ${isToday ? "underline decoration-2 underline-offset-4" : ""}`}
  >
    {Number(date.slice(8))}
  </button>
)

const FigurePicker = ({
  figures,
  figure,
  onPick,
}: {
  figures: readonly CalendarFigure[]
  figure: CalendarFigure
  onPick: (id: string) => void
}) => (
  <label className="flex min-w-0 flex-1 items-center gap-2 text-sm text-muted">
    Colours
    <select
      value={figure.id}
      onChange={({ target }) => onPick(target.value)}
      className="min-h-11 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2 text-text"
    >
      {figures.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  </label>
)
