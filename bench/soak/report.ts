import { openTable } from "../measuring/table.ts"
import type { Tally } from "./drive.ts"
import { between, growthPerHour, type MemorySample } from "./memory.ts"

/** Until then caches fill and code is compiled. */
const WARM_UP_MINUTES = 5
/** Tolerated noise between two maxima of five minutes. */
const TOLERANCE = 1.05
const BYTES_PER_MB = 1_000_000

const megabytes = (bytes: number): string => (bytes / BYTES_PER_MB).toFixed(1)
const rss = ({ residentBytes }: MemorySample): number => residentBytes
const heap = ({ heapBytes }: MemorySample): number => heapBytes
const reserved = ({ reservedHeapBytes }: MemorySample): number => reservedHeapBytes
const external = ({ externalBytes }: MemorySample): number => externalBytes
/** Code, stacks, and memory of the C allocator. */
const beside = (sample: MemorySample): number => rss(sample) - reserved(sample) - external(sample)
const highest = (samples: readonly MemorySample[], measureOf: (sample: MemorySample) => number): number =>
  Math.max(...samples.map(measureOf))

export function printMinutes(samples: readonly MemorySample[]): void {
  const row = openTable("By minute", [
    "minute",
    "answers/s",
    "RSS MB, highest",
    "heap MB, highest",
    "heap MB, lowest",
    "reserved",
    "external",
    "beside",
  ])
  for (let minute = 0; minute < (samples.at(-1)?.minutes ?? 0); minute += 1) {
    const taken = between(samples, minute, minute + 1)
    const [first, last] = [taken[0], taken.at(-1)]
    if (!first || !last || first === last) continue
    const perSecond = (last.answers - first.answers) / (60 * (last.minutes - first.minutes))
    const lowest = Math.min(...taken.map(heap))
    const figures = [highest(taken, rss), highest(taken, heap), lowest, reserved(last), external(last), beside(last)]
    row([minute, perSecond.toFixed(0), ...figures.map(megabytes)])
  }
}

export function printAnswers({ byStatus }: Tally): void {
  const row = openTable("Answers", ["status", "answers"])
  for (const [status, count] of [...byStatus].toSorted(([one], [other]) => one - other)) row([status, count])
}

/** Prints the memory. Returns true if it did not grow after the warm-up, and for a soak that is too short. */
export function printGrowth(samples: readonly MemorySample[]): boolean {
  const end = samples.at(-1)?.minutes ?? 0
  const afterWarmUp = between(samples, WARM_UP_MINUTES, Number.POSITIVE_INFINITY)
  if (end < 3 * WARM_UP_MINUTES) {
    process.stdout.write(`\nMemory: too short for a verdict, it takes ${3 * WARM_UP_MINUTES} minutes\n`)
    return true
  }
  const row = openTable(`Memory after minute ${WARM_UP_MINUTES}`, [
    "of",
    "MB/h",
    "MB, minutes 5-10",
    "MB, last 5",
    "grows",
  ])
  const verdicts = (
    [
      ["RSS", rss],
      ["heap in use", heap],
      ["heap reserved", reserved],
      ["external", external],
      ["beside", beside],
    ] as const
  ).map(([name, measureOf]) => {
    const first = highest(between(samples, WARM_UP_MINUTES, 2 * WARM_UP_MINUTES), measureOf)
    const last = highest(between(samples, end - WARM_UP_MINUTES, Number.POSITIVE_INFINITY), measureOf)
    const grows = last > first * TOLERANCE
    row([
      name,
      megabytes(growthPerHour(afterWarmUp, measureOf)),
      megabytes(first),
      megabytes(last),
      grows ? "YES" : "no",
    ])
    return grows
  })
  // The other rows only show where it grew.
  return !verdicts.slice(0, 2).includes(true)
}
