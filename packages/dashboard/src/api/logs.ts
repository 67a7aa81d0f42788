import { AccessLogResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { ZodType } from "zod"
import { send } from "./send.ts"

/** Reads of the person's data, page by page. */
export const useAccessLog = () => useLog("access-log", AccessLogResponseSchema)

/** Security events of the account, page by page. */
export const useSecurityLog = () => useLog("security-log", SecurityLogResponseSchema)

const useLog = <Page extends { next: string | null }>(log: string, schema: ZodType<Page>) =>
  useInfiniteQuery({
    queryKey: [log],
    queryFn: ({ pageParam }) => send(`/api/account/${log}${pageParam === "" ? "" : `?before=${pageParam}`}`, schema),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  })
