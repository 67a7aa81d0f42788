import { JournalDaysResponseSchema } from "@restwell/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { TrendDays } from "../trends/days.ts"
import { send } from "./send.ts"

/** @param version from `dataVersion`: a new version refetches */
export const useJournal = (days: TrendDays, version: string) =>
  useQuery({
    queryKey: ["journal", days, version],
    queryFn: () => send(`/api/account/journal?days=${days}`, JournalDaysResponseSchema),
    placeholderData: keepPreviousData,
  })
