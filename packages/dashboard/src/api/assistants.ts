import { type AccessLogResponse, AccessLogResponseSchema } from "@restwell/client"
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import { NOTHING, send } from "./send.ts"

/** Ends what an assistant may read, and reads the account again. */
export function useRevokeAssistant(): UseMutationResult<void, Error, string> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id) => send(`/api/account/assistants/${id}`, NOTHING, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries(),
  })
}

/** What assistants read, a page at a time. */
export const useAccessLog = (): UseInfiniteQueryResult<InfiniteData<AccessLogResponse>> =>
  useInfiniteQuery({
    queryKey: ["access-log"],
    queryFn: ({ pageParam }) =>
      send(`/api/account/access-log${pageParam === "" ? "" : `?before=${pageParam}`}`, AccessLogResponseSchema),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  })
