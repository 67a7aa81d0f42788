import {
  type AccountResponse,
  AccountResponseSchema,
  ApiKeyResponseSchema,
  type Connection,
  SuccessResponseSchema,
  SyncResponseSchema,
} from "@restwell/client"
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { NOTHING, send } from "./send.ts"

const ACCOUNT = ["account"] as const
const LOOK_MS = 1000
const IDLE_LOOK_MS = 60_000

/** True while figures of the connection change by themselves. */
export const isMoving = ({ status, history }: Connection): boolean =>
  status === "syncing" || (status === "ok" && !history.complete)

/** The account; looked at every second while a first fetch goes on, so that its progress is live. */
export const useAccount = (): UseQueryResult<AccountResponse> =>
  useQuery({
    queryKey: ACCOUNT,
    queryFn: () => send("/api/account", AccountResponseSchema),
    refetchInterval: ({ state }) => (state.data?.connections.some(isMoving) ? LOOK_MS : IDLE_LOOK_MS),
  })

/** Makes a new key and hands it over: it is kept nowhere but in what the caller shows. */
export const useRotateApiKey = (): UseMutationResult<string, Error, void> =>
  useAccountMutation(
    async () => (await send("/api/account/api-key", ApiKeyResponseSchema, { method: "POST" })).api_key,
    FORGET_AT_ONCE,
  )

/** What is gone from the page is gone from the memory of the requests as well. */
const FORGET_AT_ONCE = 0

export const useRequestSync = (provider: string): UseMutationResult<unknown, Error, void> =>
  useAccountMutation(() => send(`/api/connections/${provider}/sync`, SyncResponseSchema, { method: "POST" }))

export const useDisconnect = (provider: string): UseMutationResult<void, Error, "keep" | "delete"> =>
  useAccountMutation((data) => send(`/api/connections/${provider}?data=${data}`, NOTHING, { method: "DELETE" }))

export const useChangePassword = (): UseMutationResult<
  unknown,
  Error,
  { currentPassword: string; newPassword: string }
> => useAccountMutation((body) => send("/api/auth/change-password", SuccessResponseSchema, { method: "POST", body }))

export const useSetPassword = (): UseMutationResult<unknown, Error, { newPassword: string }> =>
  useAccountMutation((body) => send("/api/auth/set-password", SuccessResponseSchema, { method: "POST", body }))

/** Deletes everything. There is nothing to read again afterwards. */
export const useDeleteAccount = (): UseMutationResult<void, Error, string | undefined> =>
  useMutation({
    mutationFn: (password) =>
      send("/api/account", NOTHING, { method: "DELETE", body: password === undefined ? {} : { password } }),
  })

/** A change of the account, after which it is read again. */
function useAccountMutation<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  gcTime?: number,
): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries()
  return useMutation({ mutationFn, onSuccess, ...(gcTime !== undefined && { gcTime }) })
}
