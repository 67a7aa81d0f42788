// Samples of an archive on their way to the store.
import { DAY_MS } from "@restwell/client/time-units"
import type { Sample, SampleSet } from "../contract/series.ts"

const ENOUGH_SAMPLES = 5_000
const MOST_SAMPLES = 20_000
const MOST_TOGETHER = 150_000

/** Samples by type and device until whole days can be given on: a day that is stored in parts is read and written for each of them. */
export class SampleSets {
  readonly #sets = new Map<string, SampleSet & { samples: Sample[] }>()
  #count = 0
  #ready: SampleSet[] = []

  add(key: Pick<SampleSet, "type" | "device" | "method">, sample: Sample): void {
    const name = `${key.type} ${key.method ?? ""} ${key.device ?? ""}`
    let set = this.#sets.get(name)
    const last = set?.samples.at(-1)
    const isNewDay = last !== undefined && Math.floor(last.atMs / DAY_MS) !== Math.floor(sample.atMs / DAY_MS)
    if (set && (set.samples.length >= MOST_SAMPLES || (isNewDay && set.samples.length >= ENOUGH_SAMPLES))) {
      this.#ready.push(set)
      this.#count -= set.samples.length
      set = undefined
    }
    if (!set) {
      set = { ...key, samples: [] }
      this.#sets.set(name, set)
    }
    set.samples.push(sample)
    this.#count += 1
    if (this.#count > MOST_TOGETHER) this.takeAll()
  }

  takeAll(): void {
    this.#ready.push(...this.#sets.values())
    this.#sets.clear()
    this.#count = 0
  }

  take(): readonly SampleSet[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }
}
