import { type AccountResponse, type TrendsResponse, TrendsResponseSchema } from "@restwell/client"
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query"
import { send } from "./send.ts"

/** So many dates ending today, or all there are. */
export type TrendDays = 7 | 30 | 90 | "all"

/** @param version grows when there is something new to read, so that the figures follow a sync at once */
export const useTrends = (days: TrendDays, version: string): UseQueryResult<TrendsResponse> =>
  useQuery({
    queryKey: ["trends", days, version],
    queryFn: () => send(`/api/account/trends?days=${days}`, TrendsResponseSchema),
    placeholderData: keepPreviousData,
  })

/** Another text as soon as there may be other figures. */
export const dataVersion = ({ connections }: AccountResponse): string =>
  connections.map(({ status, last_synced_at, history }) => `${status} ${last_synced_at} ${history.records}`).join()
