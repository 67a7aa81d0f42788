import type { Source } from "@restwell/client"
import type { Metric } from "../insights/metric.ts"
import type { History } from "../store/read-history.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import type { MetricGroup } from "./metric-group.ts"

/** What a question is answered from. */
export interface InsightData {
  readonly history: History
  readonly chosen: ChosenHistory
  /** The person's date. */
  readonly today: string
  /** Metrics that may be told. */
  readonly groups: readonly MetricGroup[]
  /** All sources of the person, in the person's order, and the one of the answer. @param provider null for the first */
  envelope(metric: Pick<Metric, "id">, provider: string | null): Envelope
}

export interface Envelope {
  readonly source: Source
  readonly sources: Source[]
}

/** An answer, and how many values or records are behind it. */
export interface InsightAnswer<Body> {
  readonly body: Body
  readonly recordCount: number
}
