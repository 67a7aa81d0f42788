// Whose turn it is where more nights are to be read than a step has calls for: each takes a call for the values within it. A step that
// asked for all of them would be stopped by the limit of a minute, store nothing, and begin again.
import { DAY_MS } from "@restwell/client/time-units"
import type { PageRequest } from "../contract/records.ts"
import type { Night } from "./nights.ts"
import { readWithingsRecords } from "./normalize.ts"

/** Most nights of a step, give or take those of a date. With its lists they fit into the calls of a minute. */
const MOST_NIGHTS = 60

/** A younger night is read again, changed or not: it may have been incomplete. */
const INCOMPLETE_FOR_MS = 2 * DAY_MS

interface Turn {
  /** To be read with the values within them. */
  readonly nights: readonly Night[]
  /** To be set aside: no value within them makes them readable. */
  readonly unreadable: readonly Night[]
  /** As stored, or of a later turn. */
  readonly unread: readonly Night[]
  /** True if there is a later turn. */
  readonly isPartial: boolean
}

/**
 * Returns all nights where they are few or nothing tells what is stored. Else those whose version is not stored yet, newest first, as many
 * as a step can read. The nights of a date tell which of them are naps, so they are read together.
 */
export async function nextTurn(
  nights: readonly Night[],
  { from, to, sleepVersions }: PageRequest,
  now: Date,
): Promise<Turn> {
  const isOpen = from !== undefined && to === undefined
  if (!isOpen || !sleepVersions || nights.length <= MOST_NIGHTS)
    return { nights, unreadable: [], unread: [], isPartial: false }
  const updated = new Map(nights.map((night) => [night.id, updatedMs(night, now)]))
  const unreadable = nights.filter(({ id }) => updated.get(id) === undefined)
  const readable = nights.filter((night) => !unreadable.includes(night))
  const ids = readable.map(({ id }) => id)
  // A recovery is stored together with its sleep.
  const stored = await sleepVersions(ids)
  const isStored = ({ id, endMs }: Night) =>
    endMs < now.getTime() - INCOMPLETE_FOR_MS && (stored.get(id) ?? Number.NEGATIVE_INFINITY) >= (updated.get(id) ?? 0)
  const due = [...Map.groupBy(readable, ({ date }) => date)]
    .filter(([, ofDate]) => !ofDate.every(isStored))
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
  const turn: Night[] = []
  for (const [, ofDate] of due) if (turn.length < MOST_NIGHTS) turn.push(...ofDate)
  const isPartial = due.some(([, ofDate]) => !ofDate.every((night) => turn.includes(night)))
  return { nights: turn, unreadable, unread: readable.filter((night) => !turn.includes(night)), isPartial }
}

/** Undefined for a row that cannot be read, whatever the values within it. */
const updatedMs = ({ row, isNap }: Night, now: Date): number | undefined =>
  readWithingsRecords("sleep", [{ sleep: row, is_nap: isNap }], now).records[0]?.updatedMs
