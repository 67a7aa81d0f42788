// Figures that records lack and other sources know: once for a list, because most of its records lack the same.
import type { OtherField } from "@restwell/client"

/** A record that names its source. */
export interface Sourced {
  readonly source: string
  readonly others?: readonly OtherField[] | undefined
}

/** By source, the fields that any of the records lacks and the source knows. */
export function fieldsElsewhere(records: readonly Sourced[]): Record<string, string[]> {
  const fields = new Map<string, Set<string>>()
  for (const { field, source } of records.flatMap(({ others = [] }) => others))
    fields.getOrInsertComputed(source, () => new Set()).add(field)
  return Object.fromEntries([...fields].map(([source, names]) => [source, [...names]]))
}
