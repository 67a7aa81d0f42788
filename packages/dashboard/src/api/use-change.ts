import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query"
import { NOTHING, send } from "./send.ts"

/** Ends what an assistant may read, and reads the account again. */
export function useRevokeAssistant(): UseMutationResult<void, Error, string> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id) => send(`/api/account/assistants/${id}`, NOTHING, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries(),
  })
}
