import { createTokenCipher, openDatabase, reencryptSecrets, type Secrets } from "@restwell/core"
import type { Pool } from "pg"
import { loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { commandLogger } from "./command-logger.ts"
import { showProgress } from "./progress.ts"
import { runCommand } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

const SOME_LEFT =
  "some processes still encrypt with a former secret: give every process the current one, then run this again"
const SOME_UNREADABLE =
  "what cannot be decrypted was encrypted with an unknown secret: add that secret to RESTWELL_FORMER_SECRETS and run this again. " +
  "Without it, those people and clients must connect again"

/** `restwell re-encrypt`: encrypts everything that is stored with the current secret, while the service runs or not. */
export const main = (): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    const secrets = await openSecrets(config)
    await withDatabase({ config, signal, logger: commandLogger() }, (pool) => runReencryption(pool, secrets()))
  })

/** Encrypts everything that is stored with the current secret, and prints the result. The exit code is 1 if something is left. */
export async function runReencryption(pool: Pool, secrets: Secrets): Promise<void> {
  const kinds = Object.entries(await reencryptWithProgress(pool, secrets))
  for (const [kind, { reencrypted, left, unreadable }] of kinds)
    print(
      `${kind}: ${reencrypted} re-encrypted`,
      left > 0 && `, ${left} of them changed back`,
      unreadable > 0 && `, ${unreadable} cannot be decrypted`,
    )
  const hasLeft = kinds.some(([, { left }]) => left > 0)
  const hasUnreadable = kinds.some(([, { unreadable }]) => unreadable > 0)
  if (hasLeft) print(SOME_LEFT)
  if (hasUnreadable) print(SOME_UNREADABLE)
  if (hasLeft || hasUnreadable) process.exitCode = 1
  else print("everything is encrypted with the current secret")
}

async function reencryptWithProgress(pool: Pool, secrets: Secrets) {
  using progress = showProgress({ label: "re-encrypting" })
  const context = { database: openDatabase(pool), cipher: createTokenCipher(secrets) }
  return await reencryptSecrets(context, (kind, share) => progress.update(share, kind))
}

const print = (...parts: readonly (string | false)[]): boolean =>
  process.stdout.write(`${parts.filter((part) => part !== false).join("")}\n`)
