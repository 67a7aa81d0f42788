// Checks of figures where a file is read. One that cannot be true is left out there, before it is added up with others or chosen over one
// that can.
import type { SeriesType } from "@restwell/client"
import type { z } from "zod"
import type { Bound } from "../contract/records.ts"
import { figureFault } from "./plausible.ts"
import { valueFault } from "./plausible-samples.ts"

interface Written {
  /** How many units of the file are one of the field. @default 1 */
  readonly per?: number
  /** Numbers that stand for no measurement. */
  readonly missing?: readonly number[]
  /** Of what the figure is for, milliseconds. */
  readonly lengthMs?: number
}

export type Check = (value: number | null | undefined, issues: z.RefinementCtx) => void

/** Finds a fault in a figure that cannot be true of the field of the record that it becomes. */
export const possibleIn =
  (kind: Bound["kind"], field: string, { per = 1, missing = [], lengthMs = 0 }: Written = {}): Check =>
  (value, issues) => {
    if (value === null || value === undefined || missing.includes(value)) return
    const reason = figureFault(kind, field, { value: value / per, lengthMs })
    if (reason !== undefined) issues.addIssue(reason)
  }

/** Finds a fault in a figure that cannot be true of the samples that it becomes. */
export const possibleSample =
  (type: SeriesType, { per = 1, missing = [] }: Written = {}): Check =>
  (value, issues) => {
    if (value === null || value === undefined || missing.includes(value)) return
    const reason = valueFault(type, value / per)
    if (reason !== undefined) issues.addIssue(reason)
  }
