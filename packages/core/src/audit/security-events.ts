import type { SecurityEventType } from "@restwell/client"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { PAGE_LIMIT, pageOf } from "./log-page.ts"

/** Something that happened to an account, for its owner. It contains no secret and no measurement. */
export interface SecurityEvent {
  readonly type: SecurityEventType
  /** Details: the sign-in method, the assistant's name, the change of a connection. */
  readonly detail?: string | undefined
  /** The visitor's network, if a visitor caused the event. */
  readonly network?: string | undefined
}

/** Stores an event, in the caller's transaction if `database` is one. Does nothing once the account is deleted. */
export async function recordSecurityEvent(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { type, detail, network }: SecurityEvent,
): Promise<void> {
  // The lock is the one that the foreign key takes. Taken first, it waits for a deletion that runs at the same time.
  await sql`
    insert into restwell.security_event (user_id, at, type, detail, network)
    select id, ${clock.now()}, ${type}, ${detail ?? null}, ${network ?? null}
    from restwell."user" where id = ${userId} for key share
  `.execute(database)
}

/** Stores a failed sign-in of the person with this address. Does nothing if there is no such person. */
export async function recordFailedSignIn(
  { database, clock }: Pick<Context, "database" | "clock">,
  email: string,
  network: string,
  factor: "password" | "code",
): Promise<void> {
  await sql`
    insert into restwell.security_event (user_id, at, type, detail, network)
    select id, ${clock.now()}, 'sign_in_failed', ${factor}, ${network} from restwell."user" where email = ${email}
  `.execute(database)
}

/** The newest events, or those before an event. @param before the event's id */
export async function readSecurityEvents({ database }: Pick<Context, "database">, userId: string, before?: string) {
  const rows = await database
    .selectFrom("security_event")
    .select(["id", "at", "type", "detail", "network"])
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(PAGE_LIMIT)
    .execute()
  return pageOf(rows)
}
