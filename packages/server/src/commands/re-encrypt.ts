import { openSecrets } from "../config/open-secrets.ts"
import { readSettings } from "./command-settings.ts"
import { reseal, tell } from "./re-encrypt-secrets.ts"
import { failForPeople } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

/** `restwell reseal`: seals everything stored with the current secret, beside the running service or without it. */
export const main = (commandLine: readonly string[]): Promise<void> => failForPeople(() => run(commandLine))

async function run(commandLine: readonly string[]): Promise<void> {
  const { config, logger } = readSettings("reseal", commandLine)
  const secrets = await openSecrets(config)
  tell(await withDatabase({ config, logger }, (pool) => reseal(pool, secrets())))
}
