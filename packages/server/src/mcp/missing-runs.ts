// What the sources lack, as sentences: dates that follow each other with one reason are one sentence.
import type { MissingRecords } from "@restwell/client"

/** Returns the sentences, newest first. @param missing newest first */
export function missingRuns(missing: readonly MissingRecords[]): string[] {
  const groups = Map.groupBy(missing, ({ kind, reason, source }) => `${source} ${kind} ${reason}`)
  return [...groups.values()].flatMap(runsOf).map((run) => {
    const { newest, oldest } = run
    const dates = newest.date === oldest.date ? newest.date : `${oldest.date} to ${newest.date}`
    return `${newest.kind} of ${dates}: ${newest.reason}`
  })
}

interface Run {
  readonly newest: MissingRecords
  readonly oldest: MissingRecords
}

/** @param entries of one source, kind and reason, newest first */
function runsOf(entries: readonly MissingRecords[]): Run[] {
  const runs: Run[] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run && dayBefore(run.oldest.date) === entry.date) runs.splice(-1, 1, { ...run, oldest: entry })
    else runs.push({ newest: entry, oldest: entry })
  }
  return runs
}

const dayBefore = (date: string): string => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
