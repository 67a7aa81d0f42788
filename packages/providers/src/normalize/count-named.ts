// Counts by name, of which a stranger's file may have any number.

interface Names {
  /** How many names are counted one by one. */
  readonly most: number
  /** The name of all others together. */
  readonly further: string
}

/** Adds to the count of a name. @param by how many */
export function countNamed(counts: Map<string, number>, name: string, { most, further }: Names, by = 1): void {
  const counted = counts.has(name) || counts.size < most ? name : further
  counts.set(counted, (counts.get(counted) ?? 0) + by)
}
