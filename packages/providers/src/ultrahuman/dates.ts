// Reads of single dates. One that fails is left out, as long as others answer.
import { failsInPart } from "../contract/collections.ts"
import type { ProviderError } from "../contract/errors.ts"
import { isZone, usableZone } from "../normalize/zoned-days.ts"
import { getDay, type UltrahumanAccess } from "./api.ts"
import type { ZonedDay } from "./rows.ts"

/** A date without what the day before it tells. */
export type DayAlone = Omit<ZonedDay, "entriesBefore">

/** A date that the vendor does not give. What it has is unknown. */
export interface UnreadDate {
  readonly date: string
  readonly error: ProviderError
}

export const isUnread = (read: object): read is UnreadDate => "error" in read

/** So many dates in a row that fail are a vendor that fails. */
const FAILING_IN_A_ROW = 3

/** Reads a date. @param isAgain true to ask again for one that failed. @default false */
export type DateReader = (date: string, isAgain?: boolean) => Promise<DayAlone | UnreadDate>

/**
 * Returns a function that reads each date once. The first zone that is told is that of dates without one.
 * @throws {ProviderError} when the vendor fails for several dates in a row, or for all
 */
export function readDates(access: UltrahumanAccess): DateReader {
  const read = new Map<string, Promise<DayAlone | UnreadDate>>()
  let [failing, zone]: [number, string | undefined] = [0, undefined]
  const readOne = async (date: string): Promise<DayAlone | UnreadDate> => {
    try {
      const { zone: told, entries } = await getDay(access, date)
      failing = 0
      const found = told !== undefined && isZone(told) ? told : zone
      zone ??= found
      return { date, entries, zone: usableZone(found), isZoneUnknown: found === undefined }
    } catch (error) {
      failing += 1
      if (!failsInPart(error) || failing >= FAILING_IN_A_ROW) throw error
      return { date, error }
    }
  }
  return (date, isAgain = false) => {
    const day = (isAgain ? undefined : read.get(date)) ?? readOne(date)
    read.set(date, day)
    return day
  }
}
