// From a bar or a point of a chart to the day, week or month that it is of.
import { addDays } from "@restwell/client/calendar-dates"
import { createContext, useContext } from "react"
import { Link } from "wouter"
import { monthOf, tickDate } from "../format/date.ts"
import type { Bucket } from "../trends/days.ts"

/** Whether charts lead to the person's days. Those of a shared report lead nowhere. */
export const LeadsToDays = createContext(true)

/** "Open Nov 10", "Open week of Nov 9", "Open Nov 2026" */
export function OpenDays({ bucket }: { bucket: Pick<Bucket, "key" | "tick"> & { days: readonly { date: string }[] } }) {
  const leads = useContext(LeadsToDays)
  const page = leads ? pageOf(bucket) : undefined
  return (
    page && (
      <Link href={page.href} className="-my-1 shrink-0 py-1 font-medium text-accent underline underline-offset-2">
        Open {page.name}
      </Link>
    )
  )
}

const LAST_OF_WEEK = 6

function pageOf({ key, tick, days }: Parameters<typeof OpenDays>[0]["bucket"]) {
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  if (first === undefined || last === undefined) return undefined
  if (first === last) return { name: tickDate(first), href: `/?date=${first}` }
  return tick === monthOf(key)
    ? { name: tick, href: `/trends?start_date=${first}&end_date=${last}` }
    : { name: `week of ${tick}`, href: `/week?date=${addDays(key, LAST_OF_WEEK)}` }
}
