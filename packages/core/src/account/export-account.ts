import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { exportAccesses, exportEvents } from "./export-logs.ts"

const PAGE = 500

/**
 * Everything stored of a person, as the text of one JSON document in pieces: the account, what it is connected to and how much it read;
 * profiles; the assistants that may read; both logs; and records, each with its normalised data and the vendor's own payload. No key, token
 * or password: those are not readable.
 */
export async function* exportAccount(context: Context, userId: string): AsyncIterable<string> {
  const head = { exported_at: context.clock.now(), ...(await readHead(context, userId)) }
  yield JSON.stringify(head).slice(0, -1)
  yield* list("access_log", exportAccesses(context, userId))
  yield* list("security_log", exportEvents(context, userId))
  yield* list("records", exportRecords(context, userId))
  yield "}\n"
}

async function* list(name: string, items: AsyncIterable<object>): AsyncIterable<string> {
  yield `,"${name}":[`
  let separator = ""
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ",\n"
  }
  yield "]"
}

async function readHead({ database }: Context, userId: string) {
  const [user, apiKey, usage, connections, profiles] = await Promise.all([
    database
      .selectFrom("user")
      .innerJoin("person", "person.user_id", "user.id")
      .select(["user.id", "name", "email", "createdAt as created_at", "plan", "time_zone"])
      .where("user.id", "=", userId)
      .executeTakeFirstOrThrow(),
    database
      .selectFrom("api_key")
      .select(["prefix", "created_at", "last_used_at"])
      .where("user_id", "=", userId)
      .executeTakeFirst(),
    database
      .selectFrom("usage")
      .select(["month", "used", "by_day"])
      .where("user_id", "=", userId)
      .orderBy("month")
      .execute(),
    database
      .selectFrom("connection")
      .select(["provider", "status", "status_reason", "connected_at", "last_synced_at", "fetched_back_to"])
      .select("history_complete")
      .where("user_id", "=", userId)
      .orderBy("connected_at")
      .execute(),
    database
      .selectFrom("profile")
      .select(["provider", "data", "raw", "fetched_at"])
      .where("user_id", "=", userId)
      .execute(),
  ])
  const assistants = await database
    .selectFrom("assistant")
    .select(["client_id", "name", "verified_host", "redirect_host", "scopes", "declined", "days", "connected_at"])
    .select("last_read_at")
    .where("user_id", "=", userId)
    .orderBy("connected_at")
    .execute()
  return { user, api_key: apiKey ?? null, usage, connections, profiles, assistants }
}

/** Pages by key, so that ten years fit in the memory of one page. */
async function* exportRecords({ database }: Context, userId: string) {
  let after = { provider: "", kind: "", provider_id: "" }
  for (;;) {
    const page = await database
      .selectFrom("record")
      .select(["provider", "kind", "provider_id", "date", "score_state", "skin_temp_deviation", "detail", "raw"])
      .where("user_id", "=", userId)
      .where(sql<boolean>`(provider, kind, provider_id) > (${after.provider}, ${after.kind}, ${after.provider_id})`)
      .orderBy("provider")
      .orderBy("kind")
      .orderBy("provider_id")
      .limit(PAGE)
      .execute()
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last
  }
}
