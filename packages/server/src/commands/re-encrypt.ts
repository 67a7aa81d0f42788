import { openSecrets } from "../config/open-secrets.ts"
import { commandLogger, loadCommandConfig } from "./load-command-config.ts"
import { runReencryption } from "./re-encrypt-secrets.ts"
import { runCommand } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

/** `restwell re-encrypt`: encrypts everything that is stored with the current secret, while the service runs or not. */
export const main = (commandLine: readonly string[]): Promise<void> =>
  runCommand(async () => {
    const config = loadCommandConfig("re-encrypt", commandLine)
    const secrets = await openSecrets(config)
    await withDatabase({ config, logger: commandLogger() }, (pool) => runReencryption(pool, secrets()))
  })
