/** The embedded PostgreSQL: a server from npm in the folder of a service, and the lock by which one service has it. */
export { type Cluster, openCluster } from "./cluster.ts"
export { type ConnectionConfig, connectionOf, startEmbeddedPostgres } from "./embedded-postgres.ts"
export { hasCluster, type OsUser, postgresUser } from "./home.ts"
export { isServing, startServer, stopServer } from "./server-process.ts"
export { AlreadyRunning, findRunningService, LOCK_CONNECTION, withAdvisoryLock } from "./service-lock.ts"
