import type { AccountResponse, Connection } from "@restwell/client"

/** What people wear, with each way in which its data can come. */
export type Device = AccountResponse["devices"][number]
export type Way = Device["ways"][number]

/** The person's sources that the device is behind, by any of its ways. */
export const sourcesBehind = (
  { ways }: Device,
  { connections }: Pick<AccountResponse, "connections">,
): readonly Connection[] =>
  connections.filter(
    ({ provider, status }) => status !== "disconnected" && ways.some((way) => way.provider === provider),
  )

/** The devices that the person's sources speak for: another device's second way may be the first of this one. */
export const devicesBehind = (account: Pick<AccountResponse, "connections" | "devices">): readonly Device[] =>
  account.devices.filter((device) =>
    sourcesBehind(device, account).some(({ provider }) => provider === device.ways[0]?.provider),
  )
