// Reads of values within the day that are no parts of records.
import type { FailedCollection } from "./records.ts"
import type { SampleSet, SampleWindow } from "./series.ts"
import type { Withheld } from "./withheld.ts"

export interface SampleRequest extends SampleWindow, Withheld {
  /** Collections that are not asked now. @default none */
  readonly without?: readonly string[]
}

/** All samples of a window. */
export interface SamplesOfWindow<Window extends SampleWindow = SampleWindow> {
  readonly window: Window
  /** One set for each type of the collections that answered, even without samples. */
  readonly sets: readonly SampleSet[]
}

/** All samples of a window that are not parts of records. */
export interface SampleRead extends Pick<SamplesOfWindow, "sets"> {
  /** Samples before the window, of which some were made or changed since it began. Absent where none was. */
  readonly changedBefore?: SamplesOfWindow
  /** True if a part of the window could not be read: what is stored of it stays. @default false */
  readonly isPartial?: boolean
  /** Collections that gave nothing. There is no set of their types. Absent if none failed. */
  readonly failed?: readonly FailedCollection[]
}
