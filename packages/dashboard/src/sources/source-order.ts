import type { AccountResponse, Connection, SourceType } from "@restwell/client"
import { sourcesOf } from "../trends/sources.ts"

/** The person's sources that deliver a type. An archive delivers what its vendor's connection does. */
export const candidatesFor = (
  type: SourceType,
  account: Pick<AccountResponse, "connections" | "vendors">,
): readonly Connection[] =>
  sourcesOf(account).filter(({ provider }) => {
    const vendor = account.vendors.find((each) => each.provider === provider)
    return vendor === undefined || vendor.delivers.includes(type)
  })

/** Sorts sources as the service does: those of the person's order, then direct connections before archives, then by name. */
export function inOrder(candidates: readonly Connection[], order: readonly string[]): Connection[] {
  const rankOf = ({ provider }: Connection): number =>
    order.includes(provider) ? order.indexOf(provider) : order.length
  return candidates.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      Number(one.status === "archive") - Number(other.status === "archive") ||
      (one.provider < other.provider ? -1 : 1),
  )
}

/** Returns the list with the item at another index. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1))
}
