import {
  type AccountResponse,
  AccountResponseSchema,
  ApiKeyResponseSchema,
  ConnectedSchema,
  type Connection,
  NoticesSchema,
  SuccessResponseSchema,
  SyncResponseSchema,
} from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { NO_BODY, send, useChange } from "./send.ts"
import { type Confirm, confirmationOf } from "./sign-in-methods.ts"

const SYNC_POLL_MS = 1000
const POLL_MS = MINUTE_MS

const isSyncing = ({ status, history }: Connection): boolean =>
  status === "syncing" || (status === "ok" && !history.complete)

export const accountOptions = queryOptions({
  queryKey: ["account"],
  queryFn: () => send("/api/account", AccountResponseSchema),
})

/** The account, polled every second during a first sync to update its progress. */
export const useAccount = () =>
  useQuery({
    ...accountOptions,
    refetchInterval: ({ state }) => (state.data?.connections.some(isSyncing) ? SYNC_POLL_MS : POLL_MS),
  })

/** Creates a new key and returns it. The key must not stay in the mutation cache, hence a gcTime of 0. */
export const useRotateApiKey = () =>
  useChange(async () => (await send("/api/account/api-key", ApiKeyResponseSchema, { method: "POST" })).api_key, 0)

export const useRequestSync = (provider: string) =>
  useChange(() => send(`/api/connections/${provider}/sync`, SyncResponseSchema, { method: "POST" }))

/** The key must not stay in the mutation cache, hence a gcTime of 0. */
export const useConnectWithKey = (provider: string) =>
  useChange(
    (key: string) => send(`/api/connections/${provider}/credential`, ConnectedSchema, { method: "PUT", body: { key } }),
    0,
  )

/** The code in the address must not stay in the mutation cache, hence a gcTime of 0. */
export const usePasteCallback = (provider: string) =>
  useChange(
    (url: string) => send(`/api/connections/${provider}/callback`, ConnectedSchema, { method: "POST", body: { url } }),
    0,
  )

export const useDisconnect = (provider: string) =>
  useChange((data: "keep" | "delete") =>
    send(`/api/connections/${provider}?data=${data}`, NO_BODY, { method: "DELETE" }),
  )

export const useRevokeAssistant = () =>
  useChange((id: string) => send(`/api/account/assistants/${id}`, NO_BODY, { method: "DELETE" }))

/** @param reconnect whether an email says that a connection needs to be renewed */
export const useSetNotices = () =>
  useChange((reconnect: boolean) => send("/api/account/notices", NoticesSchema, { method: "PUT", body: { reconnect } }))

export const useChangePassword = () =>
  useChange((body: { currentPassword: string; newPassword: string; deletePasskeys: boolean }) =>
    send("/api/auth/change-password", SuccessResponseSchema, { method: "POST", body }),
  )

/** Deletes the account. Nothing is refetched, because there is no account any more. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: async (confirm: Confirm) =>
      send("/api/account", NO_BODY, { method: "DELETE", body: await confirmationOf(confirm) }),
  })

type Connections = Pick<AccountResponse, "connections">

/** True for a connection that syncs or should: neither disconnected nor only uploaded. */
export const isLive = ({ status }: Connection): boolean => status !== "disconnected" && status !== "archive"

/** Connections and archives that answer. The records of a disconnected one only remain stored. */
export const sourcesOf = ({ connections }: Connections): readonly Connection[] =>
  connections.filter(({ status }) => status !== "disconnected")

export const hasSeveralSources = (account: Connections): boolean => sourcesOf(account).length > 1

/** True for a connection of a vendor that the operator has set up. */
export const isSetUp = ({ vendors }: Pick<AccountResponse, "vendors">, { provider }: Connection): boolean =>
  vendors.some((vendor) => vendor.provider === provider && vendor.is_set_up)

/** Since when all live connections are synced: the oldest of their last syncs. */
export const lastSynced = ({ connections }: Connections): string | undefined => {
  const live = connections.some(isLive) ? connections.filter(isLive) : connections
  return live.flatMap(({ last_synced_at: at }) => (at === null ? [] : [at])).sort()[0]
}

/** Returns a text that changes whenever the data may have changed. */
export const dataVersion = ({ connections }: AccountResponse): string =>
  connections.map(({ status, last_synced_at, history }) => `${status} ${last_synced_at} ${history.records}`).join()
