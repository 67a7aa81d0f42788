/* What several sources know about a person, as it was sent, and what the person set. */
import type { NormalizedProfile, NormalizedRecord, RecordKind } from "@restwell/providers"

export type Status = "ok" | "syncing" | "reauthorization_required" | "vendor_unavailable" | "archive" | "disconnected"

export interface KnownRecord {
  readonly record: NormalizedRecord
  readonly fromArchive: boolean
}

export interface SourceTruth {
  readonly provider: string
  /** The first time. */
  readonly connectedAt: Date
  status: Status
  lastSyncedAt: Date | null
  profile: NormalizedProfile | null
  /** By kind and id. */
  readonly records: Map<string, KnownRecord>
}

export interface Choice {
  readonly type: RecordKind
  readonly date: string
  readonly source: string
}

const NO_ORDER = { sleep: [], recovery: [], workout: [], cycle: [] }

export class Truth {
  readonly sources: SourceTruth[] = []
  order: Readonly<Record<RecordKind, readonly string[]>> = NO_ORDER
  choices: readonly Choice[] = []
  #revision = 0

  /** Grows with each change. */
  get revision(): number {
    return this.#revision
  }

  changed(): void {
    this.#revision += 1
  }

  clear(): void {
    this.sources.length = 0
    this.order = NO_ORDER
    this.choices = []
    this.changed()
  }

  source(provider: string): SourceTruth {
    const found = this.sources.find((source) => source.provider === provider)
    if (!found) throw new Error(`the person never had ${provider}`)
    return found
  }

  /** Sources that may answer. A disconnected one does not, although its records are kept. */
  candidates(): SourceTruth[] {
    return this.sources.filter(({ status }) => status !== "disconnected")
  }

  /** Their names, the one that was connected first in front. */
  byAge(): string[] {
    return this.candidates()
      .toSorted(
        (one, other) =>
          one.connectedAt.getTime() - other.connectedAt.getTime() || (one.provider < other.provider ? -1 : 1),
      )
      .map(({ provider }) => provider)
  }
}

export const keyOf = ({ kind, providerId }: Pick<NormalizedRecord, "kind" | "providerId">): string =>
  `${kind}/${providerId}`

/** The method of a provider's heart rate variability. Apple's watch computes SDNN, all others RMSSD. */
export const hrvMethodOf = (provider: string): string => (provider === "apple_health" ? "sdnn" : "rmssd")
