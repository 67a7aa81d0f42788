/**
 * What a night is. People get up in the night, and some devices end the sleep then and begin another one. Sleeps of one source with less
 * than two hours between them are parts of one night, unless the vendor calls one of them a nap. The parts stay records of their own.
 *
 * The night has the date of its last waking. The time between two parts is time awake in it, as the AASM manual counts waking after sleep
 * onset out of bed too.
 * @module
 */

import { HOUR_MS } from "@restwell/client/time-units"

/** Sleeps that are this far apart are two. */
const APART_MS = 2 * HOUR_MS

/** Milliseconds since the epoch. */
interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** What decides which sleeps are one night. */
export interface NightPart extends Span {
  readonly provider: string
  readonly device: string | null
  /** Null where it is unknown. */
  readonly asleepMs: number | null
  readonly isPending: boolean
}

/** Sleeps of one source that are one night. */
export interface PartsOfNight<Sleep> {
  /** All of them, oldest first. */
  readonly sleeps: readonly Sleep[]
  /** Those whose figures make up the night: of one device, and no time twice. */
  readonly counted: readonly [Sleep, ...Sleep[]]
  /** The last of those, whose waking ends the night and gives it its date. */
  readonly last: Sleep
}

/** Puts the main sleeps of any sources together to nights. @param partOf how a sleep tells its part. Naps are not given. */
export function groupNights<Sleep>(
  sleeps: readonly Sleep[],
  partOf: (sleep: Sleep) => NightPart,
): PartsOfNight<Sleep>[] {
  const parts = sleeps.map((sleep): Known<Sleep> => ({ sleep, ...partOf(sleep) }))
  return [...Map.groupBy(parts, ({ provider }) => provider).values()].flatMap((own) =>
    runsOf(own).map((run) => {
      const counted = countedIn(run)
      return { sleeps: run.map(({ sleep }) => sleep), counted, last: counted.at(-1) ?? counted[0] }
    }),
  )
}

interface Known<Sleep> extends NightPart {
  readonly sleep: Sleep
}

type Run<Sleep> = readonly [Known<Sleep>, ...Known<Sleep>[]]

const earlierFirst = (one: Span, other: Span): number => one.startMs - other.startMs || one.endMs - other.endMs

/** Puts sleeps together that are parts of one night. Runs and their parts are oldest first. @param parts of one source, in any order */
export function runsOf<Part extends Span>(parts: readonly Part[]): readonly (readonly [Part, ...Part[]])[] {
  const runs: [Part, ...Part[]][] = []
  let reachMs = Number.NEGATIVE_INFINITY
  for (const part of parts.toSorted(earlierFirst)) {
    const run = runs.at(-1)
    if (run && part.startMs - reachMs < APART_MS) run.push(part)
    else runs.push([part])
    reachMs = Math.max(reachMs, part.endMs)
  }
  return runs
}

/**
 * Two devices behind one source, and two archives, may tell the same hours twice: the longest sleep counts, and what its device tells of
 * other hours. A sleep without any time asleep adds nothing to those with one. While one of them is pending, so is the night, with all.
 */
function countedIn<Sleep>(run: Run<Sleep>): readonly [Sleep, ...Sleep[]] {
  const [only, ...others] = run
  if (others.length === 0) return [only.sleep]
  const measured = run.filter(({ asleepMs, isPending }) => asleepMs !== null || isPending)
  const [longest, ...shorter] = (measured.length > 0 ? measured : run).toSorted(longerFirst)
  if (!longest) return [only.sleep]
  const taken: Known<Sleep>[] = [longest]
  for (const part of shorter)
    if (part.device === longest.device && !taken.some((other) => overlap(part, other))) taken.push(part)
  const [first = longest, ...rest] = taken.toSorted(earlierFirst)
  return [first.sleep, ...rest.map(({ sleep }) => sleep)]
}

const longerFirst = <Part extends NightPart>(one: Part, other: Part): number =>
  lengthOf(other) - lengthOf(one) || earlierFirst(one, other)

const lengthOf = ({ startMs, endMs }: Span): number => endMs - startMs

const overlap = (one: Span, other: Span): boolean => one.startMs < other.endMs && other.startMs < one.endMs
