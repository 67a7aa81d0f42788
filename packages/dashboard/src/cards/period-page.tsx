import type { AccountResponse, PeriodFigure, PeriodPage, TrendDay } from "@restwell/client"
import { firstWeekday } from "@restwell/client/figures"
import { type FormEvent, type ReactNode, useState } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount } from "../api/account.ts"
import type { usePeriodPage } from "../api/pages.ts"
import { usePreferences } from "../api/preferences.ts"
import { Button } from "../components/button.tsx"
import { Segmented, useUrlState } from "../components/choice.tsx"
import { Loaded } from "../components/notice.tsx"
import {
  type Bucket,
  bucketsOf,
  type Dates,
  type Grain,
  grainOf,
  type Period,
  periodOf,
  periodParameters,
  periodSearch,
  type TrendDays,
} from "../trends/days.ts"

/** The period that all cards of a page are about. */
export interface CardView {
  readonly dates: Dates
  /** The number of dates. */
  readonly days: number
  readonly grain: Grain
  readonly buckets: readonly Bucket<TrendDay>[]
  /** Whether there may be values before the period. */
  readonly hasBefore: boolean
  /** 0 for Monday to 6 for Sunday. */
  readonly firstWeekday: number
  readonly version: string
  readonly answer: Pick<PeriodPage, "days" | "own_days">
}

export function cardView(
  answer: PeriodPage,
  period: Period,
  { version, firstWeekday: first }: Pick<CardView, "version" | "firstWeekday">,
): CardView {
  const {
    period: { start_date, end_date },
    days,
  } = answer
  const grain = grainOf(days.length)
  return {
    dates: { start_date, end_date },
    days: days.length,
    grain,
    buckets: bucketsOf(days, grain, first),
    hasBefore: period !== "all",
    firstWeekday: first,
    version,
    answer,
  }
}

/** The period in the page's URL, and the choice of another one. @param usual the period of a URL that names none */
export function usePeriod(usual: TrendDays) {
  const [url, change] = useUrlState()
  const choose = (chosen: Period) => change(periodParameters(chosen), "push")
  return { url, change, period: periodOf(url, usual), choose }
}

/** The dates of a page: those that are asked for, or those of its answer. */
export const datesOf = (period: Period, answered: Dates | undefined): Dates | undefined =>
  typeof period === "object" ? period : answered

/** The version of the data of a person who has a source. */
export function useVersion(): string | undefined {
  const { data: account } = useAccount()
  return account && account.connections.length > 0 ? dataVersion(account) : undefined
}

export interface PeriodContent {
  readonly account: AccountResponse
  readonly view: CardView
  readonly answer: PeriodPage
  /** Undefined where the service computes no statistics. */
  readonly figures: readonly PeriodFigure[] | undefined
  /** Whether these are the days of the period before, until the new one is loaded. */
  readonly isStale: boolean
}

interface ConnectedProps {
  readonly skeleton: ReactNode
  readonly children: (account: AccountResponse) => ReactNode
}

/** The account of a person who has a source. Others start with connecting one. */
export const Connected = ({ skeleton, children }: ConnectedProps) => (
  <Loaded query={useAccount()} skeleton={skeleton}>
    {(account) => (account.connections.length === 0 ? <Redirect to="/start" replace /> : children(account))}
  </Loaded>
)

interface WithPeriodProps {
  readonly period: Period
  readonly page: ReturnType<typeof usePeriodPage>
  readonly skeleton: ReactNode
  readonly children: (content: PeriodContent) => ReactNode
}

/** The days of a period and the person's figures. */
export const WithPeriod = (props: WithPeriodProps) => (
  <Connected skeleton={props.skeleton}>{(account) => <PeriodOf account={account} {...props} />}</Connected>
)

function PeriodOf({ account, period, page, skeleton, children }: WithPeriodProps & Pick<PeriodContent, "account">) {
  const { first_weekday: first } = usePreferences()
  // After a disconnect the service computes no statistics. The charts of the stored days stay.
  const hasStatistics = account.connections.some(({ status }) => status !== "disconnected")
  return (
    <Loaded query={page} skeleton={skeleton}>
      {(answer) =>
        children({
          account,
          view: cardView(answer, period, { version: dataVersion(account), firstWeekday: firstWeekday(first) }),
          answer,
          figures: hasStatistics ? answer.figures : undefined,
          isStale: page.isPlaceholderData,
        })
      }
    </Loaded>
  )
}

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
}

/** A choice of the last 7, 30, 90 or 365 days, of all days, or of own dates. */
export function RangePicker({ period, dates, onChange }: RangePickerProps) {
  const [askedAt, setAskedAt] = useState<string>()
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
          if (chosen === OWN_DATES) setAskedAt(periodSearch(period))
          else {
            setAskedAt(undefined)
            onChange(chosen === "all" ? chosen : Number(chosen))
          }
        }}
      />
      {isOwn && <OwnDates dates={dates} onChange={onChange} />}
    </div>
  )
}

function OwnDates({ dates, onChange }: Pick<RangePickerProps, "dates" | "onChange">) {
  const [edited, setEdited] = useState<Partial<Dates>>({})
  const { start_date: start, end_date: end } = { start_date: "", end_date: "", ...dates, ...edited }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ start_date: start, end_date: end })
    setEdited({})
  }
  return (
    <form aria-label="Own dates" onSubmit={submit} className="flex flex-wrap items-end gap-2 max-sm:w-full">
      <DateField label="From" value={start} max={end} onChange={(date) => setEdited({ ...edited, start_date: date })} />
      <DateField label="To" value={end} min={start} onChange={(date) => setEdited({ ...edited, end_date: date })} />
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
