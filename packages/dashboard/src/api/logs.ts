import {
  type AccessLogResponse,
  AccessLogResponseSchema,
  type SecurityLogResponse,
  SecurityLogResponseSchema,
} from "@restwell/client"
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query"
import type { ZodType } from "zod"
import { send } from "./send.ts"

/** What was read of the person's data, a page at a time. */
export const useAccessLog = (): UseInfiniteQueryResult<InfiniteData<AccessLogResponse>> =>
  useLog("access-log", AccessLogResponseSchema)

/** What happened to the account, a page at a time. */
export const useSecurityLog = (): UseInfiniteQueryResult<InfiniteData<SecurityLogResponse>> =>
  useLog("security-log", SecurityLogResponseSchema)

const useLog = <Page extends { next: string | null }>(log: string, schema: ZodType<Page>) =>
  useInfiniteQuery({
    queryKey: [log],
    queryFn: ({ pageParam }) => send(`/api/account/${log}${pageParam === "" ? "" : `?before=${pageParam}`}`, schema),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  })
