// Which of a source's devices answers for a date, where their counts are never added up.
import type { SeriesType } from "@restwell/client"

/** What a device counted on a date, of the type that decides. */
export interface CountedDate {
  /** Empty where the source names none. */
  readonly device: string
  readonly value: number
  /** Local hours in which something was counted. */
  readonly hours: number
}

/** How a source chooses the device of a date, within one archive and over all of them. */
export interface OneDeviceRule {
  /** The type that decides for all others. @default each type decides for itself */
  readonly decidedBy?: SeriesType
  /** The device with the greatest weight answers. Of equal ones a named one does, then the first by name. */
  readonly weight: (counted: CountedDate) => number
}
