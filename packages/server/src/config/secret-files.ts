/** The secrets in DATA_DIR: the current one, and beside it those it followed, newest first. */
import { randomBytes, randomUUID } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { chown, link, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Secrets } from "@restwell/core"
import { ConfigError } from "./config.ts"
import { SECRET_LENGTH } from "./environment.ts"

const SECRET_BYTES = 32

const currentPath = (dataDir: string): string => join(dataDir, "secret")
const formerPath = (dataDir: string): string => join(dataDir, "former-secrets")

/**
 * The service's own secrets, in DATA_DIR with mode 0600; the first is made at the first start. Two starts at once end with the same one.
 * @throws {ConfigError} when what is kept there cannot be it: a new one would lock us out of all that the old one encrypted
 */
export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const path = currentPath(dataDir)
  if (readIfThere(path) === undefined) {
    await mkdir(dataDir, { recursive: true })
    // A link appears whole or fails: whoever comes second takes the first one's.
    await writeWhole(path, `${makeSecret()}\n`, (unfinished) =>
      link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      }),
    )
  }
  return readSecrets(dataDir)
}

/**
 * Puts a new secret in the place of the current one, which stays beside it. Cut off anywhere, it leaves secrets that open all there is.
 * One process at a time.
 */
export async function replaceSecret(dataDir: string): Promise<void> {
  const former = await keepSecrets(dataDir)
  if (former[0].includes("\n")) throw new ConfigError([`${currentPath(dataDir)} holds more than one line`])
  const { uid, gid } = statSync(currentPath(dataDir))
  const replace = (path: string, lines: readonly string[]) =>
    writeWhole(path, `${lines.join("\n")}\n`, async (unfinished) => {
      // Whoever runs the command, the service reads them.
      await chown(unfinished, uid, gid)
      await rename(unfinished, path)
    })
  // In this order: who has a new secret finds what it followed.
  await replace(formerPath(dataDir), former)
  await replace(currentPath(dataDir), [makeSecret()])
}

/**
 * The secrets as they are at each call, read again when their files changed. What cannot be read leaves them as they were.
 * @param more former ones that are kept elsewhere
 */
export function followSecrets(dataDir: string, more: readonly string[] = []): () => Secrets {
  const read = (): Secrets => [...readSecrets(dataDir), ...more]
  let stamp = stampOf(dataDir)
  let known = read()
  return () => {
    try {
      const now = stampOf(dataDir)
      if (now !== stamp) known = read()
      stamp = now
    } catch {
      // A file that went or cannot be read now is found at the next start, in words; what is known goes on working.
    }
    return known
  }
}

/** The current one is read first: what it followed was there before it. */
function readSecrets(dataDir: string): Secrets {
  const current = readIfThere(currentPath(dataDir)) ?? ""
  if (current.length < SECRET_LENGTH)
    throw new ConfigError([
      `${currentPath(dataDir)} holds no secret of ${SECRET_LENGTH} characters: restore it; without it, delete it, and people connect their devices again`,
    ])
  const former = (readIfThere(formerPath(dataDir)) ?? "").split("\n").filter((secret) => secret !== "")
  if (former.some((secret) => secret.length < SECRET_LENGTH))
    throw new ConfigError([
      `${formerPath(dataDir)} holds something else than secrets of ${SECRET_LENGTH} characters: restore it; delete it only when \`restwell reseal\` left nothing under them`,
    ])
  return [current, ...former.filter((secret) => secret !== current)]
}

const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url")

/** On disk before it gets its name: what it encrypts must not outlive it. */
async function writeWhole(path: string, text: string, name: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}-${randomUUID()}`
  try {
    await using file = await open(unfinished, "wx", 0o600)
    await file.writeFile(text)
    await file.sync()
    await name(unfinished)
    await using directory = await open(join(path, ".."))
    await directory.sync()
  } finally {
    await rm(unfinished, { force: true })
  }
}

function readIfThere(path: string): string | undefined {
  return ifThere(() => readFileSync(path, "utf8").trim())
}

/** Changes with the files: a rename brings another inode. */
function stampOf(dataDir: string): string {
  return [currentPath(dataDir), formerPath(dataDir)]
    .map((path) => ifThere(() => statSync(path, { bigint: true })))
    .map((found) => (found ? `${found.ino}:${found.mtimeNs}` : "none"))
    .join()
}

function ifThere<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}
