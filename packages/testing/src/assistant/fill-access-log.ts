import type { TestDatabase } from "../database/test-database.ts"

/** Adds this many reads to the access log, made now by the assistant of a client. */
export async function fillAccessLog(
  { store }: { readonly store: TestDatabase },
  clientId: string,
  count: number,
): Promise<void> {
  await store.pool.query(
    `insert into restwell.access_log (user_id, at, reader, client_id, assistant, operation, types, outcome)
     select user_id, now(), 'assistant', client_id, name, 'get_sleep', '{sleep}', 'answered'
     from restwell.assistant, generate_series(1, $2::int) where client_id = $1`,
    [clientId, count],
  )
}
