/**
 * A person's history as Home Assistant's long-term statistics: one external statistic a figure and source, one value a date.
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/recorder/websocket_api.py
 */

import type { TrendDay } from "@restwell/client"
import { sourceName } from "@restwell/client/figures"
import { describe, type HomeFigure, type HomeValue, valuesOf } from "./figures.ts"

/** Metadata and values of one `recorder/import_statistics`. Values of the same start replace each other, so a repeat changes nothing. */
export interface HomeStatistic {
  readonly metadata: {
    readonly source: "restwell"
    readonly statistic_id: string
    readonly name: string
    readonly unit_of_measurement: string | null
    readonly unit_class: string | null
    readonly has_sum: false
    /** 1: arithmetic. https://developers.home-assistant.io/blog/2025/10/16/recorder-statistics-api-changes */
    readonly mean_type: 1
  }
  readonly stats: readonly {
    readonly start: string
    readonly mean: number
    readonly min: number
    readonly max: number
  }[]
}

/** A value and its date. */
export interface DatedHomeValue {
  readonly date: string
  readonly value: HomeValue
}

/** The values of the rows. A day that is not over has no strain, steps and calories yet. */
export const historyValuesOf = (rows: readonly TrendDay[]): readonly DatedHomeValue[] =>
  rows.flatMap((row) =>
    valuesOf(row.strain?.is_open ? { ...row, strain: null } : row).map((value) => ({ date: row.date, value })),
  )

/**
 * The statistics of the values. Sources are never mixed: each has statistics of its own. A value stands at one hour of its date whatever the
 * person's time zone was or becomes, so that a repeat replaces it. It is on that date from Hawaii (UTC-10) to New Zealand (UTC+13).
 */
export function statisticsOf(
  { device, name }: { readonly device: string; readonly name: string },
  values: readonly DatedHomeValue[],
): readonly HomeStatistic[] {
  const known = values.filter(({ value: { value } }) => value !== null)
  const byStatistic = Map.groupBy(known, ({ value: { figure, source } }) => idOf(device, figure, source))
  return [...byStatistic].map(([statistic_id, ofStatistic]) => {
    const [first] = ofStatistic
    if (!first) throw new Error("a group has a value")
    const { figure, source } = first.value
    const { name: title, unit, unitClass } = describe(figure)
    return {
      metadata: {
        source: "restwell",
        statistic_id,
        name: figure.source === null ? `${name}: ${title} (${sourceName(source)})` : `${name}: ${title}`,
        unit_of_measurement: unit,
        unit_class: unitClass,
        has_sum: false,
        mean_type: 1,
      },
      stats: ofStatistic.flatMap(({ date, value: { value } }) =>
        value === null ? [] : { start: `${date}T10:00:00+00:00`, mean: value, min: value, max: value },
      ),
    }
  })
}

/** As in `restwell:3f9c2a1b_whoop_hrv_rmssd`: lower case, digits and single underscores. */
const idOf = (device: string, figure: HomeFigure, source: string): string =>
  `restwell:${device}_${figure.source === null ? `${source}_` : ""}${figure.key}`
