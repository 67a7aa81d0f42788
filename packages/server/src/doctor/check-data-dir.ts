import { resolve } from "node:path"
import { hasSecretFile } from "../config/secret-files.ts"
import { hasCluster } from "../postgres/home.ts"
import { freeMegabytes } from "./data-dir-fault.ts"
import type { Facts } from "./facts.ts"
import { failed, failedWith, type Outcome, ok } from "./result.ts"

/** A year of one person needs about 5 MB, and an upload its own size. */
const LITTLE_MB = 500

/** DATA_DIR can be used, and its disk has space. */
export async function checkDataDir(facts: Facts): Promise<Outcome> {
  const { config } = facts
  const fault = await facts.dataDirFault()
  if (fault !== undefined) return failedWith(fault)
  const where = `DATA_DIR (${resolve(config.dataDir)})`
  const free = await freeMegabytes(config.dataDir)
  if (free < LITTLE_MB)
    return failed(`the disk of ${where} has only ${free} MB left`, "free some space, or move DATA_DIR to a larger disk")
  if (config.databaseUrl !== undefined) return ok(`${where} can be used`)
  if (hasSecretFile(config.dataDir) && !(await hasCluster(config.dataDir)))
    return failed(
      `${where} has a secret but no database`,
      "set DATA_DIR or DATABASE_URL to where the data is, or restore a backup",
    )
  return ok(`${where} can be used, ${free} MB are free`)
}
