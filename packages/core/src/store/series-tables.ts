import type { SeriesType } from "@restwell/client"
import type { Generated } from "kysely"

/** The packed samples of a person, type, source and UTC day. */
export interface SeriesDayTable {
  user_id: string
  type: SeriesType
  provider: string
  /** UTC day, YYYY-MM-DD. */
  day: string
  /** Empty where no collector names a device. */
  device: Generated<string>
  /** `rmssd` or `sdnn` of HRV, else empty. */
  method: Generated<string>
  /** The vendor's id of the record that the samples are a part of, or empty. */
  record_id: Generated<string>
  count: number
  samples: Buffer
}

/** Samples of a vendor that cannot be used. */
export interface SeriesLeftOutTable {
  user_id: string
  provider: string
  type: SeriesType
  /** UTC day, YYYY-MM-DD. */
  day: string
  /** The vendor's id of the record that the samples would be a part of, or empty. */
  record_id: string
  reason: string
  count: number
}

/** What an import brought. */
export interface ImportSeriesDayTable extends SeriesDayTable {
  import_id: string
  was_direct: Generated<boolean>
}

/** The samples that count: a view of both tables. */
export interface SeriesView extends SeriesDayTable {
  from_archive: boolean
  /** The order of imports. Null for what the vendor itself sent. */
  import_number: string | null
}
