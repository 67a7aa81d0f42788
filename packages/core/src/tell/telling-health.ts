// What does not arrive of messages to people, for the operator: receivers that fail, and channels that lead nowhere. It names no person.
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import type { ReceiverKind } from "../store/telling-tables.ts"
import { MOST_ATTEMPTS } from "./deliver.ts"

/** Receivers of one kind at one host that do not take messages. */
interface ReceiverFault {
  readonly kind: ReceiverKind
  readonly host: string
  readonly count: number
  readonly isDisabled: boolean
  /** Since when the first of them fails, or is disabled. */
  readonly since: Date
  /** The newest answer, or why it was disabled, in words. */
  readonly answer: string
}

/** Messages to receivers of one kind at one host that were given up, while others arrive. */
interface GivenUp {
  readonly kind: ReceiverKind
  readonly host: string
  readonly messages: number
  readonly receivers: number
  /** Of the newest attempt. */
  readonly at: Date
  readonly answer: string
}

/** A channel that people chose for messages, and that has no receiver. */
interface EmptyChannel {
  readonly channel: "email" | "push" | "webhook"
  readonly people: number
}

export interface TellingHealth {
  /** Receivers that take messages. */
  readonly working: number
  readonly faults: readonly ReceiverFault[]
  /** In the last week. */
  readonly givenUp: readonly GivenUp[]
  /** People by channel. `email` has all who chose it: whether there is a mail server is a setting. */
  readonly chosen: readonly EmptyChannel[]
  /** Emails that the mail server has not taken and that are tried again. */
  readonly waitingMails: number
}

/** Shorter failures heal by themselves. */
const FAILING_MS = 5 * MINUTE_MS
/** For so long a message that was given up is worth a look. */
const GIVEN_UP_MS = 7 * DAY_MS
/** A message is tried for three days and may wait before, so one that was given up in that week is no older. */
const OLDEST_MS = 14 * DAY_MS

const HOST = sql`coalesce(substring(r.url from '^[a-z]+://([^/?#]+)'), 'the receiver')`
const ANSWER = sql`coalesce('status ' || d.answer_status || nullif(': ' || d.answer, ': '), d.answer)`

const readGivenUp = (database: Context["database"], now: Date) =>
  sql<GivenUp>`
    select r.kind, ${HOST} as host, count(*)::int as messages, count(distinct (r.user_id, r.id))::int as receivers,
      max(d.last_attempt_at) as at,
      coalesce((array_agg(${ANSWER} order by d.last_attempt_at desc))[1], 'no answer') as answer
    from restwell.delivery d
    join restwell.receiver r on r.user_id = d.user_id and r.id = d.receiver_id and r.disabled_at is null
    where d.status = 'failed' and d.attempts >= ${MOST_ATTEMPTS}
      and d.created_at > ${new Date(now.getTime() - OLDEST_MS)} and d.last_attempt_at > ${new Date(now.getTime() - GIVEN_UP_MS)}
    group by 1, 2 order by 1, 2`.execute(database)

/** Reads which messages do not arrive. Changes nothing. */
export async function readTellingHealth({
  database,
  clock,
}: Pick<Context, "database" | "clock">): Promise<TellingHealth> {
  const now = clock.now()
  const before = new Date(now.getTime() - FAILING_MS)
  const [working, faults, givenUp, chosen, mails] = await Promise.all([
    sql<{ count: number }>`
      select count(*)::int as count from restwell.receiver where failing_since is null and disabled_at is null`.execute(
      database,
    ),
    sql<ReceiverFault>`
      select kind, host, count(*)::int as count, "isDisabled", min(since) as since,
        coalesce((array_agg(answer order by since desc))[1], 'no answer') as answer
      from (
        select r.kind, ${HOST} as host,
          r.disabled_at is not null as "isDisabled", coalesce(r.disabled_at, r.failing_since) as since,
          coalesce(r.disabled_reason, last.answer) as answer
        from restwell.receiver r
        left join lateral (
          select ${ANSWER} as answer
          from restwell.delivery d
          where d.user_id = r.user_id and d.receiver_id = r.id and d.last_attempt_at is not null
          order by d.last_attempt_at desc limit 1) last on true
        where r.disabled_at is not null or r.failing_since <= ${before}) each
      group by kind, host, "isDisabled" order by 1, 2`.execute(database),
    readGivenUp(database, now),
    sql<EmptyChannel>`
      select channel, count(distinct user_id)::int as people from (
        select s.user_id, channel from restwell.notification_settings s
        cross join lateral jsonb_array_elements_text(s.briefing -> 'channels') channel
        where (s.briefing ->> 'enabled')::boolean
        union all
        select s.user_id, channel from restwell.notification_settings s
        cross join lateral jsonb_array_elements(s.rules) rule
        cross join lateral jsonb_array_elements_text(rule -> 'channels') channel
        where (rule ->> 'enabled')::boolean) chosen
      where channel = 'email' or channel in ('push', 'webhook') and not exists (
        select from restwell.receiver r where r.user_id = chosen.user_id and r.kind = channel)
      group by channel order by channel`.execute(database),
    sql<{ count: number }>`
      select count(*)::int as count from restwell.mail
      where sent_at is null and error is not null and expires_at > ${now}`.execute(database),
  ])
  return {
    working: working.rows[0]?.count ?? 0,
    faults: faults.rows,
    givenUp: givenUp.rows,
    chosen: chosen.rows,
    waitingMails: mails.rows[0]?.count ?? 0,
  }
}
