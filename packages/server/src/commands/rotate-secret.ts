import type { Pool } from "pg"
import { openSecrets } from "../config/open-secrets.ts"
import { replaceSecret } from "../config/secret-files.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { readSettings } from "./command-settings.ts"
import { type ResealReport, reseal, tell } from "./re-encrypt-secrets.ts"
import { failForPeople } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

/** Chosen once at random: whoever holds it replaces the secret. */
const ROTATION_LOCK = 5_527_704_913

const BY_HAND = `RESTWELL_SECRET is set in the environment, so it is changed there, in this order:
1. make a new secret: openssl rand -base64 32
2. add it to RESTWELL_FORMER_SECRETS of every process, and restart them one by one
3. put it in RESTWELL_SECRET and the old one in RESTWELL_FORMER_SECRETS of every process, and restart them one by one
4. restwell reseal
5. a week later, when everybody's sign-in is renewed, take the old one out of RESTWELL_FORMER_SECRETS`

/** `restwell rotate-secret`: a new secret in DATA_DIR, and everything stored sealed with it, while the service runs. */
export const main = (commandLine: readonly string[]): Promise<void> => failForPeople(() => run(commandLine))

async function run(commandLine: readonly string[]): Promise<void> {
  const { config, logger } = readSettings("rotate-secret", commandLine)
  if (config.secret !== undefined) {
    process.stderr.write(`restwell: ${BY_HAND}\n`)
    process.exitCode = 1
    return
  }
  const secrets = await openSecrets(config)
  const rotate = async (pool: Pool): Promise<ResealReport> => {
    await replaceSecret(config.dataDir)
    process.stdout.write(`a new secret is in ${config.dataDir}, the former one beside it\n`)
    return reseal(pool, secrets())
  }
  tell(await withDatabase({ config, logger }, (pool) => alone(pool, () => rotate(pool))))
}

/** The lock dies with its connection, however the command ends. */
async function alone<Result>(pool: Pool, run: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [ROTATION_LOCK])
    if (rows[0]?.taken !== true) throw new AlreadyRunning("another `restwell rotate-secret` runs on this DATA_DIR")
    return await run()
  } finally {
    client.release(true)
  }
}
