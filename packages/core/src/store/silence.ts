import { sql } from "kysely"

/**
 * SQL: true if the run that showed its last life at this time has died. A clock of the database that was set back counts as death. A sign of
 * life is a little ahead of a statement or transaction that began before it, and is none of death.
 */
export const isSilent = (at: string, seconds: number) =>
  sql<boolean>`abs(extract(epoch from now() - ${sql.ref(at)})) > ${seconds}`
