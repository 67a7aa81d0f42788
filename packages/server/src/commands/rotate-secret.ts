import type { Pool } from "pg"
import { loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { replaceSecret } from "../config/secret-files.ts"
import { withAdvisoryLock } from "../postgres/advisory-lock.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { CommandFailed } from "./command.ts"
import { commandLogger } from "./command-logger.ts"
import { runReencryption } from "./re-encrypt.ts"
import { runCommand } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

/** A random number: its holder is the only one who replaces the secret. */
const ROTATION_LOCK = 5_527_704_913

const BY_HAND = `RESTWELL_SECRET is set in the environment, so change it there:
1. make a new secret: openssl rand -base64 32
2. add it to RESTWELL_FORMER_SECRETS of every process, and restart them one by one
3. put it in RESTWELL_SECRET and the old one in RESTWELL_FORMER_SECRETS of every process, and restart them one by one
4. restwell re-encrypt
5. a week later, when all sessions have new cookies, remove the old one from RESTWELL_FORMER_SECRETS`

/** `restwell rotate-secret`: makes a new secret in DATA_DIR and encrypts everything with it, while the service runs or not. */
export const main = (): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    if (config.secret !== undefined) throw new CommandFailed(BY_HAND)
    const secrets = await openSecrets(config)
    const rotate = async (pool: Pool): Promise<void> => {
      await replaceSecret(config.dataDir)
      process.stdout.write(`the new secret is in ${config.dataDir}, beside the former one\n`)
      await runReencryption(pool, secrets())
    }
    await withDatabase({ config, signal, logger: commandLogger() }, async (pool) => {
      const isAlone = await withAdvisoryLock(pool, ROTATION_LOCK, () => rotate(pool))
      if (!isAlone) throw new AlreadyRunning("another `restwell rotate-secret` runs on this DATA_DIR")
    })
  })
