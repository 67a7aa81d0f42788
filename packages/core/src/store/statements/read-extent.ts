import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { DateRange } from "../../base/calendar.ts"
import { runStatement } from "../pool.ts"

/** How far the records of a kind go. */
interface Extent {
  /** The first date with a record. Null without any. */
  readonly first: string | null
  /** The sources with records in the range, by name. */
  readonly inRange: readonly string[]
}

/** $1 person, $2 kind, $3 sources, $4 first and $5 last date of the range */
const READ_EXTENT = {
  name: "read-extent",
  text: `
    select min(of_source.first)::text as first,
      coalesce(array_agg(of_source.provider order by of_source.provider) filter (where of_source.has_range), '{}') as "inRange"
    from unnest($3::text[]) as source (provider)
    cross join lateral (
      select source.provider, min(r.date) as first, coalesce(bool_or(r.date between $4::date and $5::date), false) as has_range
      from restwell.record r
      where r.user_id = $1 and r.provider = source.provider and r.kind = $2
        and not (r.detail ->> 'assistants' = 'false' is true)
        -- The length of a night alone is no recovery.
        and not (r.kind = 'recovery' and r.detail -> 'asleepMs' is not null and r.candidate ->> 'knows' = '0')) of_source`,
}

export interface ExtentQuestion {
  readonly userId: string
  readonly kind: RecordKind
  readonly sources: readonly string[]
  readonly range: DateRange
}

/** Reads how far the records go that assistants get. Only for answers without a record: it looks at every date. */
export async function readExtent(pool: Pool, { userId, kind, sources, range }: ExtentQuestion): Promise<Extent> {
  const values = [userId, kind, sources, range.from, range.to]
  const { rows } = await runStatement<Extent>(pool, READ_EXTENT, values)
  return rows[0] ?? { first: null, inRange: [] }
}
