import { type AccountResponse, TrendsResponseSchema } from "@restwell/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { TrendDays } from "../trends/days.ts"
import { send } from "./send.ts"

/** @param version from `dataVersion`: a new version refetches, so that the charts follow a sync at once */
export const useTrends = (days: TrendDays, version: string) =>
  useQuery({
    queryKey: ["trends", days, version],
    queryFn: () => send(`/api/account/trends?days=${days}`, TrendsResponseSchema),
    placeholderData: keepPreviousData,
  })

/** Returns a text that changes whenever the data may have changed. */
export const dataVersion = ({ connections }: AccountResponse): string =>
  connections.map(({ status, last_synced_at, history }) => `${status} ${last_synced_at} ${history.records}`).join()
