// What a page leaves out where each record takes a call of its own, and there are more than one step has calls for.

/** Returns the `updatedMs` of those sleeps that are stored. Where a request has it, they are not read again, nor their recoveries. */
export type SleepVersions = (providerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>

/** Records that the vendor lists and that were not read. They are neither missing nor deleted. */
export interface Unread {
  readonly providerIds: readonly string[]
  /** True if some are not as they are stored: once the page is stored, the same range is to be asked for again. */
  readonly isPartial: boolean
}
