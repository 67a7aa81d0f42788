import { DATE_BOUNDS } from "@restwell/client"
import type { Pool } from "pg"
import type { DateRange } from "../calendar/date-range.ts"
import { chooseHistory } from "../insight-reads/chosen-history.ts"
import type { Envelope } from "../insight-reads/insight-data.ts"
import type { InsightPlan } from "../insight-reads/insight-plan.ts"
import type { InsightBody, InsightQuery } from "../insight-reads/insight-query.ts"
import { groupOfMetric } from "../insight-reads/metric-group.ts"
import { inOrder, NO_PREFERENCES } from "../sources/preferences.ts"
import { presentSource } from "../sources/present-source.ts"
import type { WantedData } from "../store/read-health.ts"
import { readHistory } from "../store/read-history.ts"
import type { ConnectedSnapshot } from "./answer.ts"

/** Every date that a record may have. */
const ALL_DATES: DateRange = { from: DATE_BOUNDS.min, to: DATE_BOUNDS.max }

/** The person and the sources without records: a question about the statistics reads its own. */
export const PERSON_ONLY: WantedData = {
  kinds: [],
  range: ALL_DATES,
  profile: false,
  source: undefined,
  allRecords: false,
}

/** The answer to a question about the statistics. Returns undefined if the person's data changed since the snapshot. */
export async function answerInsight(
  pool: Pool,
  snapshot: ConnectedSnapshot,
  { query, plan, today }: { readonly query: InsightQuery; readonly plan: InsightPlan; readonly today: string },
): Promise<{ readonly body: InsightBody; readonly recordCount: number } | undefined> {
  const { sources, preferences } = snapshot
  const isWanted = (provider: string) =>
    query.source === undefined || query.source === "all" || query.source === provider
  const providers = sources.map(({ provider }) => provider).filter(isWanted)
  const history = await readHistory(pool, snapshot, { ...plan.wanted, providers })
  if (!history) return undefined
  const envelope = ({ id }: { readonly id: string }, provider: string | null): Envelope => {
    const group = groupOfMetric(id)
    const ordered = inOrder(sources, preferences?.order[group === null || group === "journal" ? "sleep" : group])
    const main =
      ordered.find((source) => source.provider === provider) ?? ordered.find((source) => isWanted(source.provider))
    return { source: presentSource(main ?? sources[0]), sources: ordered.map(presentSource) }
  }
  const chosen = chooseHistory(history, preferences ?? NO_PREFERENCES)
  return plan.answer({ history, chosen, today, groups: plan.groups, envelope })
}
