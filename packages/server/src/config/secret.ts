import { randomBytes } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The service's own secret, in DATA_DIR with mode 0600; made at the first start. Two starts at once end with the same one. */
export async function keepSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret")
  const kept = await readIfThere(path)
  if (kept !== undefined) return kept
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${path}-${process.pid}`
  await writeFile(unfinished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 })
  // A link appears whole or fails: whoever comes second takes the first one's.
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
  await rm(unfinished)
  return (await readFile(path, "utf8")).trim()
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error
    },
  )
