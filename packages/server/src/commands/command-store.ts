import { type Clock, type Context, createTokenCipher, findUserByEmail, openDatabase } from "@restwell/core"
import type { Pool } from "pg"
import { type Config, loadConfig } from "../config/config.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { CommandFailed } from "./command.ts"
import { withDatabase } from "./command-database.ts"
import { commandLogger } from "./command-log.ts"
import { runCommand } from "./run-command.ts"

/** What a command reads and changes. */
export interface Store extends Pick<Context, "database" | "clock" | "logger"> {
  readonly config: Config
  readonly pool: Pool
}

const SYSTEM_CLOCK: Clock = { now: () => new Date() }

/** Runs a command on the service's database, with its settings. */
export const withStore = (use: (store: Store, signal: AbortSignal) => Promise<void>): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    const logger = commandLogger()
    await withDatabase({ config, logger, signal }, (pool) =>
      use({ config, pool, logger, clock: SYSTEM_CLOCK, database: openDatabase(pool) }, signal),
    )
  })

/** How people reach the service, for the links that a command prints: as the environment says, or as the owner has set it. */
export async function baseUrlOf({ config, database }: Pick<Store, "config" | "database">): Promise<string> {
  const cipher = createTokenCipher(await openSecrets(config))
  const address = `http://localhost:${config.port}`
  return (await readEffectiveSettings({ config, database, cipher, address })).baseUrl
}

/** The id of the account with this address. @throws {CommandFailed} */
export async function accountOf(context: Pick<Context, "database">, email: string): Promise<string> {
  const userId = await findUserByEmail(context, email)
  if (userId === undefined)
    throw new CommandFailed(`there is no account with the address ${email}. \`restwell people\` lists them`)
  return userId
}
