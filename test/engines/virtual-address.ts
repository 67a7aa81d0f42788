import { startNetwork } from "../whole/network.ts"

/** An address that leads to the primary, as Patroni's HAProxy or the service of CloudNativePG provide one. */
export interface VirtualAddress {
  readonly port: number
  /** New connections lead there. Open ones stay where they are. */
  pointTo(port: number): void
  close(): Promise<void>
}

export async function openVirtualAddress(port: number): Promise<VirtualAddress> {
  const target = { host: "127.0.0.1", port }
  const network = await startNetwork(target)
  return {
    port: network.port,
    pointTo(next) {
      target.port = next
    },
    close: () => network.close(),
  }
}
