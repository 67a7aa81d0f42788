import type { SecurityEventType } from "@restwell/client"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { ASKED_FOR, type LogPage, pageOf } from "./log-page.ts"

/** Something that happened to an account, for its owner to see. No secret and no figure is in it. */
export interface SecurityEvent {
  readonly type: SecurityEventType
  /** What exactly: the way in, the assistant's name, the change of a connection. */
  readonly detail?: string | undefined
  /** The visitor's network, where a visitor did it. */
  readonly network?: string | undefined
}

export interface RecordedSecurityEvent {
  readonly id: string
  readonly at: Date
  readonly type: SecurityEventType
  readonly detail: string | null
  readonly network: string | null
}

/** Writes an event down, in the caller's transaction where `database` is one. */
export async function recordSecurityEvent(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { type, detail, network }: SecurityEvent,
): Promise<void> {
  await database
    .insertInto("security_event")
    .values({ user_id: userId, at: clock.now(), type, detail: detail ?? null, network: network ?? null })
    .execute()
}

/** Writes down that somebody tried to sign in as the person of this address; nothing where there is none. */
export async function recordFailedSignIn(
  { database, clock }: Pick<Context, "database" | "clock">,
  email: string,
  network: string,
): Promise<void> {
  await sql`
    insert into restwell.security_event (user_id, at, type, detail, network)
    select id, ${clock.now()}, 'sign_in_failed', 'password', ${network} from restwell."user" where email = ${email}
  `.execute(database)
}

/** The newest events, or those before one. @param before an event's id */
export async function readSecurityEvents(
  { database }: Pick<Context, "database">,
  userId: string,
  before?: string,
): Promise<LogPage<RecordedSecurityEvent>> {
  const rows = await database
    .selectFrom("security_event")
    .select(["id", "at", "type", "detail", "network"])
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(ASKED_FOR)
    .execute()
  return pageOf(rows)
}
