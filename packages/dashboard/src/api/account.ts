import {
  AccountResponseSchema,
  ApiKeyResponseSchema,
  type Connection,
  NoticesSchema,
  SuccessResponseSchema,
  SyncResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { NO_BODY, send } from "./send.ts"
import { useChange } from "./use-change.ts"

const SYNC_POLL_MS = 1000
const POLL_MS = 60_000

const isSyncing = ({ status, history }: Connection): boolean =>
  status === "syncing" || (status === "ok" && !history.complete)

/** The account, polled every second during a first sync to update its progress. */
export const useAccount = () =>
  useQuery({
    queryKey: ["account"],
    queryFn: () => send("/api/account", AccountResponseSchema),
    refetchInterval: ({ state }) => (state.data?.connections.some(isSyncing) ? SYNC_POLL_MS : POLL_MS),
  })

/** Creates a new key and returns it. The key must not stay in the mutation cache, hence a gcTime of 0. */
export const useRotateApiKey = () =>
  useChange(async () => (await send("/api/account/api-key", ApiKeyResponseSchema, { method: "POST" })).api_key, 0)

export const useRequestSync = (provider: string) =>
  useChange(() => send(`/api/connections/${provider}/sync`, SyncResponseSchema, { method: "POST" }))

export const useDisconnect = (provider: string) =>
  useChange((data: "keep" | "delete") =>
    send(`/api/connections/${provider}?data=${data}`, NO_BODY, { method: "DELETE" }),
  )

export const useRevokeAssistant = () =>
  useChange((id: string) => send(`/api/account/assistants/${id}`, NO_BODY, { method: "DELETE" }))

/** @param reconnect whether an e-mail says that a connection needs to be renewed */
export const useSetNotices = () =>
  useChange((reconnect: boolean) => send("/api/account/notices", NoticesSchema, { method: "PUT", body: { reconnect } }))

export const useChangePassword = () =>
  useChange((body: { currentPassword: string; newPassword: string }) =>
    send("/api/auth/change-password", SuccessResponseSchema, { method: "POST", body }),
  )

export const useSetPassword = () =>
  useChange((body: { newPassword: string }) =>
    send("/api/auth/set-password", SuccessResponseSchema, { method: "POST", body }),
  )

/** Deletes the account. Nothing is refetched, because there is no account any more. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (password: string | undefined) =>
      send("/api/account", NO_BODY, { method: "DELETE", body: password === undefined ? {} : { password } }),
  })
