import { sql } from "kysely"
import type { Context } from "../context.ts"

const PAGE = 500

/**
 * Everything stored of a person's health, as the text of one JSON document in pieces:
 * `{exported_at, profiles, records}`, each record with its normalised data and the vendor's own payload.
 */
export async function* exportAccount(context: Context, userId: string): AsyncIterable<string> {
  const profiles = await context.database
    .selectFrom("profile")
    .select(["provider", "data", "raw", "fetched_at"])
    .where("user_id", "=", userId)
    .execute()
  yield `{"exported_at":${JSON.stringify(context.clock.now())},"profiles":${JSON.stringify(profiles)},"records":[`
  let separator = ""
  for await (const record of exportRecords(context, userId)) {
    yield separator + JSON.stringify(record)
    separator = ",\n"
  }
  yield "]}\n"
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
