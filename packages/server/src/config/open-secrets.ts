import type { Secrets } from "@restwell/core"
import type { Config } from "./config.ts"
import { followSecrets, keepSecrets } from "./secret-files.ts"

/**
 * The operator's secrets, as they are at each call: those of the environment, or those kept in DATA_DIR, which may change while we run.
 * @throws {ConfigError} when what is kept cannot be it
 */
export async function openSecrets({
  secret,
  formerSecrets,
  dataDir,
}: Pick<Config, "secret" | "formerSecrets" | "dataDir">): Promise<() => Secrets> {
  if (secret !== undefined) {
    const given: Secrets = [secret, ...formerSecrets]
    return () => given
  }
  await keepSecrets(dataDir)
  return followSecrets(dataDir, formerSecrets)
}
