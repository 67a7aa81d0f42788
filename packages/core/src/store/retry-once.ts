/**
 * PostgreSQL's errors of a statement that another transaction got in the way of: a deadlock, or a row whose person was deleted meanwhile.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const CONCURRENT_CHANGES: ReadonlySet<unknown> = new Set(["40P01", "23503"])

/** Runs a statement again, once, where a concurrent change undid it. Nothing of the first run was kept. */
export async function retryOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && "code" in error && CONCURRENT_CHANGES.has(error.code)) return await run()
    throw error
  }
}
