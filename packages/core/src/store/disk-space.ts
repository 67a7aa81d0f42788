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
