import { JournalDaysResponseSchema, SignsResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { send } from "./send.ts"

/** Enough for usual times, and few enough to have the phases of the nights. */
const DAYS = 30

/** A date with the days before it. @param date today if undefined @param version from `dataVersion` */
export const useDaysUntil = (date: string | undefined, version: string) =>
  useQuery({
    queryKey: ["trends", "until", date, version],
    queryFn: () =>
      send(`/api/account/trends?days=${DAYS}${date === undefined ? "" : `&end_date=${date}`}`, TrendsResponseSchema),
    // The days before a date include its neighbours, so the previous answer already has the day before.
    placeholderData: keepPreviousData,
  })

/** What is far from usual on the morning of a date. */
export const useSigns = (date: string, version: string) =>
  useQuery({
    queryKey: ["signs", date, version],
    queryFn: async () => {
      const { records } = await send(`/api/account/signs?days=1&end_date=${date}`, SignsResponseSchema)
      return records[0]?.figures ?? []
    },
  })

interface Dates {
  readonly from: string
  readonly to: string
}

/** The days of a calendar. @param version from `dataVersion` */
export const useCalendarDays = ({ from, to }: Dates, version: string) =>
  useQuery({
    queryKey: ["trends", "calendar", from, to, version],
    queryFn: () => send(`/api/account/trends?start_date=${from}&end_date=${to}`, TrendsResponseSchema),
    placeholderData: keepPreviousData,
  })

/** The answers of the journal on the days of a calendar. */
export const useCalendarJournal = ({ from, to }: Dates, version: string) =>
  useQuery({
    queryKey: ["journal", "calendar", from, to, version],
    queryFn: () => send(`/api/account/journal?start_date=${from}&end_date=${to}`, JournalDaysResponseSchema),
    placeholderData: keepPreviousData,
  })
