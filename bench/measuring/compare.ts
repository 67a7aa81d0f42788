import { type Load, run, type Sample } from "./load.ts"

const WARM_UP_MS = 1_000
const ROUND_MS = 750
const ROUNDS = 4

export interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Measures the loads in short turns, so that other load on the machine affects all of them equally. */
export async function compare<Name extends string>(loads: Readonly<Record<Name, Load>>): Promise<Record<Name, Figures>>
export async function compare(loads: Readonly<Record<string, Load>>): Promise<Record<string, Figures>> {
  const samples = new Map<string, Sample[]>()
  for (const load of Object.values(loads)) await run(load, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, load] of Object.entries(loads))
      samples.set(name, [...(samples.get(name) ?? []), await run(load, ROUND_MS)])
  return Object.fromEntries([...samples].map(([name, taken]) => [name, figuresOf(taken)]))
}

export function figuresOf(samples: readonly Sample[]): Figures {
  const timesMs = Float64Array.from(samples.flatMap((sample) => sample.timesMs)).sort()
  const elapsedMs = samples.reduce((sum, sample) => sum + sample.elapsedMs, 0)
  const at = (share: number): number => timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN
  return { perSecond: (1000 * timesMs.length) / elapsedMs, p50Ms: at(0.5), p99Ms: at(0.99) }
}
