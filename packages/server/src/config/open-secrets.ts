import type { Secrets } from "@restwell/core"
import { hasCluster } from "../postgres/home.ts"
import type { Config } from "./config.ts"
import { prepareDataDir } from "./data-dir.ts"
import { ensureSecrets, followSecrets, refuseMissingSecret } from "./secret-files.ts"

/**
 * Returns the operator's secrets at each call: those of the environment, or the files in DATA_DIR, which may change while we run.
 * @throws {ConfigError} when a file does not contain secrets, the secret of an existing database is missing, or DATA_DIR cannot be used
 */
export async function openSecrets({
  secret,
  formerSecrets,
  dataDir,
  databaseUrl,
}: Pick<Config, "secret" | "formerSecrets" | "dataDir" | "databaseUrl">): Promise<() => Secrets> {
  if (databaseUrl === undefined) await prepareDataDir(dataDir)
  if (secret !== undefined) {
    const given: Secrets = [secret, ...formerSecrets]
    return () => given
  }
  if (await hasCluster(dataDir)) refuseMissingSecret(dataDir)
  await ensureSecrets(dataDir)
  return followSecrets(dataDir, formerSecrets)
}

/**
 * The operator's secrets now, without making one.
 * @throws {ConfigError} when there is none, or a file does not contain secrets
 */
export async function readCurrentSecrets({
  secret,
  formerSecrets,
  dataDir,
}: Pick<Config, "secret" | "formerSecrets" | "dataDir">): Promise<Secrets> {
  if (secret !== undefined) return [secret, ...formerSecrets]
  if (await hasCluster(dataDir)) refuseMissingSecret(dataDir)
  return followSecrets(dataDir, formerSecrets)()
}
