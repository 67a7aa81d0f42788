/** @see https://www.postgresql.org/docs/18/errcodes-appendix.html */
const DEADLOCK = "40P01"

/**
 * PostgreSQL undoes one of two statements that wait for each other: that one is made again. Ours lock people in one order and never do; those of
 * an earlier version, while an update rolls, may.
 */
export async function againAfterDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === DEADLOCK) return await run()
    throw error
  }
}
