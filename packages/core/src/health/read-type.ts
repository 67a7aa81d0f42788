import type { HealthQuery, HealthType } from "@restwell/client"

/** What is read: a type of health data, or the journal, which has a path of its own. */
export type ReadType = HealthType | "journal"
export type ReadQuery = Omit<HealthQuery, "type"> & { readonly type: ReadType }
