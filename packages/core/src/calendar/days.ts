/**
 * Days of a person. A record's date is local to where it happened; "today" is the date now where the newest record happened. A
 * period's bounds are the midnights of that same place, so a period of N dates is N x 24 hours under a fixed offset; where no
 * record tells an offset, the account's time zone does, and a day may have 23 or 25 hours.
 */
export interface Place {
  /** Minutes east of UTC, from the newest record. */
  readonly utcOffsetMinutes: number | null
  /** IANA name, where no record tells an offset. */
  readonly timeZone: string | null
}

/** The UTC instants of local midnight at the first date and after the last. @param from @param to YYYY-MM-DD, inclusive */
export function periodOf(from: string, to: string, place: Place): { start: string; end: string; days: number } {
  const first = Temporal.PlainDate.from(from)
  const afterLast = Temporal.PlainDate.from(to).add({ days: 1 })
  return {
    start: midnightOf(first, place),
    end: midnightOf(afterLast, place),
    days: first.until(afterLast, { largestUnit: "days" }).days,
  }
}

function midnightOf(date: Temporal.PlainDate, { utcOffsetMinutes, timeZone }: Place): string {
  const instant =
    utcOffsetMinutes === null
      ? date.toZonedDateTime(timeZone ?? "UTC").toInstant()
      : date.toZonedDateTime("UTC").toInstant().subtract({ minutes: utcOffsetMinutes })
  return instant.toString({ smallestUnit: "millisecond" })
}

/** The date now where the newest record happened, else in the account's zone. DESIGN section 4. */
export function todayAt({ utcOffsetMinutes, timeZone }: Place, now: Date): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const local =
    utcOffsetMinutes === null
      ? instant.toZonedDateTimeISO(timeZone ?? "UTC")
      : instant.add({ minutes: utcOffsetMinutes }).toZonedDateTimeISO("UTC")
  return local.toPlainDate().toString()
}
