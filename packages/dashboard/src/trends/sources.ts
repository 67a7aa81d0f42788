import type { AccountResponse, Connection } from "@restwell/client"

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
