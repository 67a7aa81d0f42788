import { access, constants, stat, statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Config } from "../config/config.ts"
import { unusable } from "../config/data-dir.ts"

const MB = 1_048_576
/** PostgreSQL stops when it cannot write its log, whose files have 16 MB. */
const FULL_MB = 32

/** What a start would say about DATA_DIR. Undefined if it can be used. */
export async function dataDirFault({ dataDir }: Pick<Config, "dataDir">): Promise<string | undefined> {
  try {
    const found = await existing(resolve(dataDir))
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((await freeMegabytes(found)) < FULL_MB) throw Object.assign(new Error("full"), { code: "ENOSPC" })
    return undefined
  } catch (error) {
    const known = unusable("DATA_DIR", dataDir, error)
    if (!(known instanceof Error)) throw error
    return "mistakes" in known ? known.message.replace(/^[^\n]*\n- /, "") : known.message
  }
}

/** The folder itself, or the one that the first start makes it in. */
async function existing(path: string): Promise<string> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) throw Object.assign(new Error("a file"), { code: "EEXIST" })
    return path
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isMissing || path === dirname(path)) throw error
    return await existing(dirname(path))
  }
}

/** Megabytes that this user may write. 0 if the disk can hold no more files. */
export async function freeMegabytes(path: string): Promise<number> {
  const { bavail, bsize, files, ffree } = await statfs(await existing(resolve(path)))
  return files > 0 && ffree === 0 ? 0 : Math.floor((bavail * bsize) / MB)
}
