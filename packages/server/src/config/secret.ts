import { randomBytes, randomUUID } from "node:crypto"
import { link, mkdir, open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { ConfigError } from "./config.ts"
import { SECRET_LENGTH } from "./environment.ts"

const SECRET_BYTES = 32

/**
 * The service's own secret, in DATA_DIR/secret with mode 0600; made at the first start. Two starts at once end with the same one.
 * @throws {ConfigError} when what is kept there cannot be it: a new one would lock us out of all that the old one encrypted
 */
export async function keepSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret")
  const secret = (await readIfThere(path)) ?? (await makeSecret(dataDir, path))
  if (secret.length < SECRET_LENGTH)
    throw new ConfigError([
      `${path} holds no secret of ${SECRET_LENGTH} characters: restore it; without it, delete it, and people connect their devices again`,
    ])
  return secret
}

async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${path}-${randomUUID()}`
  try {
    await writeDurably(unfinished, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`)
    // A link appears whole or fails: whoever comes second takes the first one's.
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await readFile(path, "utf8")).trim()
}

/** On disk before it gets its name: what it encrypts must not outlive it. */
async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600)
  await file.writeFile(text)
  await file.sync()
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error
    },
  )
