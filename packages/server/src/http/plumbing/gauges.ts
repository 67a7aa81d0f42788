import { Gauge, type Registry } from "prom-client"

/** All gauges of a scrape, and of the next ones within this time, share one query. */
const FRESH_MS = 5_000

export interface Sample {
  readonly labels: Record<string, string>
  readonly value: number
}

/** Adds a gauge of the values read. */
export type AddGauge<Reading> = (
  name: string,
  help: string,
  labelNames: string[],
  samples: (reading: Reading) => Sample[],
) => void

/** Returns a function that adds gauges, which share one reading. */
export function gaugesOf<Reading>(read: () => Promise<Reading>, registry: Registry): AddGauge<Reading> {
  const readOnce = sharedReading(read)
  return (name, help, labelNames, samples) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const reading = await readOnce()
        gauge.reset()
        for (const { labels, value } of samples(reading)) gauge.set(labels, value)
      },
    })
  }
}

function sharedReading<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let latest: { readonly reading: Promise<Reading>; readonly startedMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (latest && nowMs - latest.startedMs < FRESH_MS) return latest.reading
    const reading = read()
    latest = { reading, startedMs: nowMs }
    reading.catch(() => {
      latest = undefined
    })
    return reading
  }
}
