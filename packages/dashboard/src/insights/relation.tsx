import type { Metric, MetricId, RelateResponse } from "@restwell/client"
import { useRelation } from "../api/insights.ts"
import { Loaded } from "../components/loaded.tsx"
import { Notice } from "../components/notice.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import type { TrendDays } from "../trends/days.ts"
import { FoundRelations } from "./found-relations.tsx"
import { OneRelation } from "./one-relation.tsx"

/** Most dates of one answer. */
const MOST_DAYS = 4_000

interface RelationProps {
  readonly metrics: readonly Metric[]
  readonly outcome: MetricId
  /** Undefined for all factors. */
  readonly factor: string | undefined
  readonly lag: 0 | 1
  readonly days: TrendDays
  readonly version: string
  /** The page about a factor, or about all. */
  readonly hrefOf: (factor: string | undefined) => string
}

/** How one factor, or each of all, goes with an outcome. */
export function Relation({ metrics, outcome, factor, lag, days, version, hrefOf }: RelationProps) {
  const relation = useRelation({ outcome, factor, lag, days: days === "all" ? MOST_DAYS : days }, version)
  const answerOf = (answer: RelateResponse) => {
    const outcomeMetric = metrics.find(({ id }) => id === answer.outcome)
    const factorMetric = "factor" in answer ? metrics.find(({ id }) => id === answer.factor) : undefined
    if (!outcomeMetric) return null
    if ("relations" in answer)
      return <FoundRelations answer={answer} outcome={outcomeMetric} metrics={metrics} hrefOf={hrefOf} />
    if (!factorMetric) return <Notice title="There is no such factor">Choose one of the list above.</Notice>
    return <OneRelation answer={answer} outcome={outcomeMetric} factor={factorMetric} allHref={hrefOf(undefined)} />
  }
  return (
    <Loaded query={relation} skeleton={<Skeleton className="h-95" label="Computing relations" />}>
      {(answer) => (
        <div aria-busy={relation.isPlaceholderData} className={relation.isPlaceholderData ? "opacity-60" : ""}>
          {answerOf(answer)}
        </div>
      )}
    </Loaded>
  )
}
