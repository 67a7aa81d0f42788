// Lists of values within the day of which nothing can be read.
import { ContractViolation } from "../contract/errors.ts"
import type { LeftOut } from "../contract/series.ts"

/** So many rows may be broken each for itself. */
const FEW = 3

/**
 * Makes sure that some row of a list can be read. Else the list fails as one of another shape does, and is read again: the past is read once.
 * @param rows how many the list has @param unreadable the rows without a meaning @throws {ContractViolation}
 */
export function requireReadable(
  what: string,
  { length: rows }: readonly unknown[],
  unreadable: readonly Pick<LeftOut, "reason">[],
): void {
  const [first] = unreadable
  if (!first || rows <= FEW || unreadable.length < rows) return
  throw new ContractViolation(`no ${what} of ${rows} can be read: ${first.reason}`, what)
}
