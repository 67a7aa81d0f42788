/** Sources by how long a person has them: between equal records, the one that was there first answers. */
export interface AgedSource {
  readonly provider: string
  /** When the person first connected or uploaded it. Connecting it again changes nothing. */
  readonly addedAt: Date
}

/** The oldest comes first. Of two of one age, by name. */
export const longestFirst = (one: AgedSource, other: AgedSource): number =>
  one.addedAt.getTime() - other.addedAt.getTime() || (one.provider < other.provider ? -1 : 1)

/** Names of sources, the one that the person has longest first. */
export const namesByAge = (sources: readonly AgedSource[]): string[] =>
  sources.toSorted(longestFirst).map(({ provider }) => provider)
