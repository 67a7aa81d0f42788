/** Folders that backups must not be in: a database's own, and the one that is lost together with it. */
import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"

/** The file that every data folder of PostgreSQL has. @see https://www.postgresql.org/docs/current/storage-file-layout.html */
const MARK_OF_CLUSTER = "PG_VERSION"

/**
 * Why backups must not be in a folder, which need not exist yet. Undefined if they may.
 * @param dataDir the folder of the embedded PostgreSQL. Undefined for a database elsewhere
 */
export async function backupFolderFault(directory: string, dataDir: string | undefined): Promise<string | undefined> {
  const real = await realFolder(resolve(directory))
  for (const folder of withParents(real))
    if (existsSync(join(folder, MARK_OF_CLUSTER)))
      return `it is in the data folder of a PostgreSQL (${folder}), where no other program may write`
  if (dataDir === undefined) return undefined
  const own = await realFolder(resolve(dataDir))
  return withParents(real).includes(own)
    ? `it is in DATA_DIR (${own}), so what happens to that folder happens to the backups too`
    : undefined
}

/** The path without links, of which the last folders may be missing. */
async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Whatever is wrong with it is found where it is made.
    return dirname(path) === path ? path : join(await realFolder(dirname(path)), relative(dirname(path), path))
  }
}

function withParents(path: string): string[] {
  return dirname(path) === path ? [path] : [path, ...withParents(dirname(path))]
}
