import { useMutation, useQueryClient } from "@tanstack/react-query"

/** A mutation of the account. All queries are refetched after it. @param gcTime how long its result stays in memory, milliseconds */
export function useChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
  gcTime?: number,
) {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries()
  return useMutation({ mutationFn, onSuccess, ...(gcTime !== undefined && { gcTime }) })
}
