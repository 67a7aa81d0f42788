import { round } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"

export { round }

/** Milliseconds as hours, 2 decimals. */
export const hoursOf = (milliseconds: number): number => round(milliseconds / HOUR_MS, 2)

/** A measurement with 1 decimal, or null: scores, averages, HRV, rates, temperatures, SpO2, strain, metres. */
export const toTenth = (value: number | null | undefined): number | null => (value == null ? null : round(value, 1))

/** A body measurement, or null, as a person enters it: 1.8288 m. A pound in kilograms has no end of digits. */
export const toTenThousandth = (value: number | null | undefined): number | null =>
  value == null ? null : round(value, 4)

/** A whole measurement, or null: heart rates and kilocalories. */
export const toWhole = (value: number | null | undefined): number | null => (value == null ? null : round(value, 0))

/** A duration in hours, or null. */
export const toHours = (milliseconds: number | null | undefined): number | null =>
  milliseconds == null ? null : hoursOf(milliseconds)
