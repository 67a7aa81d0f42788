import type { Secrets } from "@restwell/core"
import type { Config } from "./config.ts"
import { ensureSecrets, followSecrets } from "./secret-files.ts"

/**
 * Returns the operator's secrets at each call: those of the environment, or the files in DATA_DIR, which may change while we run.
 * @throws {ConfigError} when a file does not contain secrets
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
  await ensureSecrets(dataDir)
  return followSecrets(dataDir, formerSecrets)
}
