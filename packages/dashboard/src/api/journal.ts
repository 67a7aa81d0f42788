import {
  DayResponseSchema,
  JournalDaysResponseSchema,
  JournalFactorsResponseSchema,
  OWN_TOPIC,
  type OwnJournalChange,
  type OwnJournalResponse,
  OwnJournalResponseSchema,
  TrendsResponseSchema,
} from "@restwell/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { send } from "./send.ts"

/** What the person entered for a date, and the vendors' answers beside it. @param version from `dataVersion` */
export const useOwnJournal = (date: string, version: string) =>
  useQuery({
    queryKey: ["own-journal", date, version],
    queryFn: () => send(`/api/account/journal/${date}`, OwnJournalResponseSchema),
  })

/** The topics that the person answered, the last used first, then common ones. @param version from `dataVersion` */
export const useJournalFactors = (version: string) =>
  useQuery({
    queryKey: ["journal-factors", version],
    queryFn: async () => (await send("/api/account/journal/factors", JournalFactorsResponseSchema)).factors,
  })

/** An answer, with the topic's words. */
interface JournalAnswer {
  readonly factor: string
  readonly title: string
  /** Null removes it. */
  readonly answer: boolean | null
}

/** A change of a date's journal. */
export type JournalChange = JournalAnswer | { readonly note: string | null }

/** Everything that an answer of the journal changes. */
const CHANGED = ["own-journal", "journal", "journal-factors", "insight"] as const

/** Enters an answer or a note. The page shows it at once, and what was before if the service refuses it. */
export function useEnterJournal(date: string) {
  const queries = useQueryClient()
  const key = ["own-journal", date]
  // Before all changes that are under way: one that fails must not bring back another that has failed too.
  const before = useRef<ReturnType<typeof queries.getQueriesData<OwnJournalResponse>>>([])
  return useMutation({
    mutationKey: key,
    // One after another: the last tap decides.
    scope: { id: key.join(" ") },
    mutationFn: (change: JournalChange) =>
      send(`/api/account/journal/${date}`, OwnJournalResponseSchema, { method: "PUT", body: bodyOf(change) }),
    onMutate: async (change) => {
      const isFirst = queries.isMutating({ mutationKey: key }) === 1
      await queries.cancelQueries({ queryKey: key })
      if (isFirst) before.current = queries.getQueriesData<OwnJournalResponse>({ queryKey: key })
      queries.setQueriesData<OwnJournalResponse>({ queryKey: key }, (journal) => journal && applied(journal, change))
    },
    onError: () => {
      for (const [queryKey, journal] of before.current) queries.setQueryData(queryKey, journal)
    },
    // An answer to an older change would undo those that still wait.
    onSettled: () => {
      if (queries.isMutating({ mutationKey: key }) > 1) return
      return Promise.all(CHANGED.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
  })
}

/** A topic's own words are sent with its first answer. */
function bodyOf(change: JournalChange): OwnJournalChange {
  if ("note" in change) return change
  const { factor, title, answer } = change
  return { answers: [{ factor, answer, ...(factor.startsWith(OWN_TOPIC) && { title }) }] }
}

function applied(journal: OwnJournalResponse, change: JournalChange): OwnJournalResponse {
  if ("note" in change) return { ...journal, note: change.note }
  const { factor, title, answer } = change
  const others = journal.answers.filter((each) => each.factor !== factor)
  return { ...journal, answers: answer === null ? others : [...others, { factor, title, answer, value: null }] }
}

/** Enough for usual times. */
const ROWS = 30

/** @param date undefined for today */
export const dayPath = (date: string | undefined): string =>
  `/api/account/day?rows=${ROWS}${date === undefined ? "" : `&date=${date}`}`

/** A date with the days before it. @param date today if undefined @param version from `dataVersion` */
export const useDay = (date: string | undefined, version: string) =>
  useQuery({
    queryKey: ["day", date, version],
    queryFn: () => send(dayPath(date), DayResponseSchema),
    // The days before a date include its neighbours, so the previous answer already has the day before.
    placeholderData: keepPreviousData,
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
