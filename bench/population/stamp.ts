import type { PopulationMember } from "./member.ts"
import type { SyncedPerson } from "./template-sync.ts"

type Slot = keyof PopulationMember

/** A line of COPY into which another person's ids are inserted: a text, an id, a text, an id, ..., a text. */
export interface Stamp {
  readonly texts: readonly string[]
  readonly slots: readonly Slot[]
}

/**
 * Record ids are UUIDs. Cycle ids have 11 digits, the last of which are the person's. No measured value has as many integer digits, and the
 * end of a UUID may have as many beside a letter.
 */
const RECORD_ID = String.raw`\b(?<recordId>[0-9a-f]{8}-[0-9a-f]{4})(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)`
const CYCLE_ID = String.raw`(?<=(?<![\da-f.])\d{5})\d{6}(?![\da-f.])`

/** Returns a function that makes stamps from the lines of a synced person. */
export function stampMaker(person: SyncedPerson): (line: string) => Stamp {
  const fixed = new Map<string, Slot>([
    [person.userId, "userId"],
    [person.email, "email"],
    [person.keyHash, "keyHash"],
    [person.keyPrefix, "keyPrefix"],
  ])
  const vendorUserId = String.raw`(?<=\t|"user_id": |"whoop-|"providerId": ")(?<vendorUserId>${person.vendorUserId})\b`
  const ids = new RegExp(
    [[...fixed.keys()].map(RegExp.escape).join("|"), vendorUserId, RECORD_ID, CYCLE_ID].join("|"),
    "g",
  )
  return (line) => {
    const texts: string[] = []
    const slots: Slot[] = []
    let end = 0
    for (const match of line.matchAll(ids)) {
      const { vendorUserId: isVendorUserId, recordId } = match.groups ?? {}
      texts.push(line.slice(end, match.index))
      slots.push(
        fixed.get(match[0]) ?? (isVendorUserId ? "vendorUserId" : recordId ? "recordIdPrefix" : "cycleIdSuffix"),
      )
      end = match.index + match[0].length
    }
    texts.push(line.slice(end))
    return { texts, slots }
  }
}

/** The line with this member's ids. */
export function stamped({ texts, slots }: Stamp, member: PopulationMember): string {
  let line = texts[0] ?? ""
  for (const [index, slot] of slots.entries()) line += member[slot] + (texts[index + 1] ?? "")
  return line
}
