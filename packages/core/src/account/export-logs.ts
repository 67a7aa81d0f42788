import type { Context } from "../context/context.ts"

const PAGE = 500

/** What was read of a person's data, the oldest first. */
export const exportAccesses = ({ database }: Context, userId: string) =>
  pageByPage((after) =>
    database
      .selectFrom("access_log")
      .select(["id", "at", "reader", "client_id", "assistant", "operation", "types", "start_date", "end_date"])
      .select(["record_count", "reads", "outcome"])
      .where("user_id", "=", userId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE)
      .execute(),
  )

/** What happened to a person's account, the oldest first. */
export const exportEvents = ({ database }: Context, userId: string) =>
  pageByPage((after) =>
    database
      .selectFrom("security_event")
      .select(["id", "at", "type", "detail", "network"])
      .where("user_id", "=", userId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE)
      .execute(),
  )

/** @param read the page after an id, the oldest first */
async function* pageByPage<Row extends { readonly id: string }>(read: (after: string) => Promise<Row[]>) {
  for (let after = "0"; ; ) {
    const page = await read(after)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}
