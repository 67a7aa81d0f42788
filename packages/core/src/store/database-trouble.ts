/**
 * What is wrong with the database, in words for whoever waits for an answer, or for the operator where only they can help; undefined for an
 * error that is not of the database's state. Nothing of the error itself is in it.
 */
export function databaseTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = "code" in error ? String(error.code) : ""
  if (code === DISK_FULL) return FULL
  return AWAY.test(code) || BROKEN.test(error.message) || isMissingSocket(error, code) ? SILENT : undefined
}

/** PostgreSQL's class 53. @see https://www.postgresql.org/docs/18/errcodes-appendix.html */
const DISK_FULL = "53100"

/** PostgreSQL's classes 08, 53, 57 and 58: it is not there, out of something, stopping or starting, or its disk fails; and what the network says. */
const AWAY =
  /^(?:08|53|57|58)|^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/

/** What pg and kysely say of a connection that broke under a statement or before it. */
const BROKEN =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client (?:was closed|has encountered a connection error)|Postgres connection has been discarded)/

/** A server that is down has no socket file; a file of another kind that is missing is no trouble of the database's. */
const isMissingSocket = (error: Error, code: string): boolean =>
  code === "ENOENT" && "syscall" in error && error.syscall === "connect"

export const SILENT = "the database does not answer, try again in a moment"
const FULL = "the database has no room left on its disk: the operator has to free some, then all goes on by itself"
