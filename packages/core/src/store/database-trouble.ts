const LOST_CONNECTION = "LostConnection"

/** A connection broke before this statement. The cause says how. */
export class LostConnection extends Error {
  override readonly name = LOST_CONNECTION

  constructor(cause: Error) {
    super(`the connection to the database was lost: ${cause.message}`, { cause })
  }
}

/** True if the database has no space for a write. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === DISK_FULL

/**
 * What is wrong with the database, in a message for clients and the operator. Undefined for an error of another kind. The message
 * contains nothing of the error itself.
 */
export function databaseTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = "code" in error ? String(error.code) : ""
  if (code === DISK_FULL) return FULL
  // An error of another thread has lost its class, and has its name.
  if (error.name === LOST_CONNECTION) return SILENT
  return AWAY.test(code) || BROKEN.test(error.message) || isRefusedSocket(error, code) ? SILENT : undefined
}

/** True if the database is away as a whole. False for one statement that took too long, or was ended for another one: its rows are the cause. */
export const isDatabaseAway = (error: unknown): boolean =>
  databaseTrouble(error) !== undefined &&
  !(error instanceof Error && "code" in error && OF_STATEMENT.has(String(error.code)))

/** `query_canceled` and `deadlock_detected`. */
const OF_STATEMENT: ReadonlySet<string> = new Set(["57014", "40P01"])

/** PostgreSQL's class 53. @see https://www.postgresql.org/docs/18/errcodes-appendix.html */
const DISK_FULL = "53100"

/**
 * PostgreSQL's classes 08, 53, 57 and 58 (connection lost, out of resources, stopping or starting, disk failure), a standby that was asked
 * to write (25006), a transaction that was ended for another one (40P01), and the network's codes.
 */
const AWAY =
  /^(?:08|53|57|58|25006|40P01)|^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/

/** Messages of pg and kysely for a connection that broke before or during a statement. */
const BROKEN =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client (?:was closed|has encountered a connection error)|Postgres connection has been discarded)/

/** A stopped server has no socket file, and a paused one has a full queue. Other files have nothing to do with the database. */
const isRefusedSocket = (error: Error, code: string): boolean =>
  (code === "ENOENT" || code === "EAGAIN") && "syscall" in error && error.syscall === "connect"

/** True for a row of a person whose account was deleted while the transaction waited for its lock. */
export const isAccountGone = (error: unknown): boolean =>
  isMissingRow(error) && "constraint" in error && String(error.constraint).endsWith("_user_id_fkey")

/** True for a row that refers to a missing one. */
export const isMissingRow = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === "23503"

const SILENT = "the database does not answer, try again in a moment"
const FULL = "the disk of the database is full: the operator must free space, then the service recovers by itself"

// The disk of the database. Heavy writes stop before it is full, so that reads, sign-ins and deletions go on.

const MB = 1_048_576

/** The disk of the database, as far as this process can see it. */
export interface Disk {
  /** Free bytes. Undefined where the database is on another machine. */
  freeBytes(): Promise<number | undefined>
}

/** Less free space than this is kept for reads, sign-ins and deletions. */
export const LOW_BYTES = 128 * MB

/** What people and the operator read. */
export const LOW_DISK = "the disk of the service is nearly full: its operator must free space"

/** True if uploads, imports and syncs have to wait for space. */
export async function isDiskLow(disk: Disk): Promise<boolean> {
  const free = await disk.freeBytes()
  return free !== undefined && free < LOW_BYTES
}

/** PostgreSQL's log of changes has up to this size, beside the rows themselves. @see max_wal_size */
const LARGEST_LOG = 1_024 * MB

/** True if this many bytes can be stored and the disk is not low afterwards. */
export async function hasRoomFor(disk: Disk, bytes: number): Promise<boolean> {
  const free = await disk.freeBytes()
  return free === undefined || free >= bytes + Math.min(bytes, LARGEST_LOG) + LOW_BYTES
}
