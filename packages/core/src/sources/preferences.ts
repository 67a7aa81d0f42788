import type { SourcePreferences } from "../store/source-preferences.ts"

/** Of a person who has set nothing. */
export const NO_PREFERENCES: SourcePreferences = { order: {}, choices: [] }

/** The place of a source in the person's order. Sources that are not listed come after the listed ones. */
export function placeIn(order: readonly string[] | undefined, provider: string): number {
  const place = order?.indexOf(provider) ?? -1
  return place === -1 ? Number.MAX_SAFE_INTEGER : place
}

interface Source {
  readonly provider: string
  readonly status: string
}

/** Returns the sources in the person's order: the listed ones, then connections before archives, then by name. */
export function inOrder<Item extends Source>(sources: readonly Item[], order: readonly string[] | undefined): Item[] {
  return sources.toSorted(
    (one, other) =>
      placeIn(order, one.provider) - placeIn(order, other.provider) ||
      Number(one.status === "archive") - Number(other.status === "archive") ||
      (one.provider < other.provider ? -1 : 1),
  )
}
