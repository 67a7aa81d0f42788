import { readMetrics } from "@restwell/testing/service"

/** The memory of a service, from its /metrics. */
export interface Memory {
  readonly residentBytes: number
  /** JavaScript objects, including garbage since the last collection. */
  readonly heapBytes: number
  /** What V8 has reserved for the heap. */
  readonly reservedHeapBytes: number
  /** Buffers and other memory outside the heap that JavaScript objects own. */
  readonly externalBytes: number
}

export async function metricsOf(url: string): Promise<Memory> {
  const text = await readMetrics({ url })
  const value = (name: string): number => {
    const found = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]
    if (found === undefined) throw new Error(`/metrics has no ${name}`)
    return Number(found)
  }
  return {
    residentBytes: value("process_resident_memory_bytes"),
    heapBytes: value("nodejs_heap_size_used_bytes"),
    reservedHeapBytes: value("nodejs_heap_size_total_bytes"),
    externalBytes: value("nodejs_external_memory_bytes"),
  }
}
