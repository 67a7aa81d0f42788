import { join } from "node:path"
import type { Cluster } from "./cluster.ts"
import { type Home, seenBy } from "./home.ts"

const socketDirectoryOf = (home: Home): string =>
  home.socketDirectory === home.directory ? seenBy(home, home.directory) : home.socketDirectory

/** Settings for a small service: no TCP port, durable commits, a log of one week. They override the cluster's files. */
export const settingsOf = ({ home, settings }: Cluster): Readonly<Record<string, string>> => ({
  listen_addresses: "",
  // The value is a list, so a path with a comma needs quotes.
  unix_socket_directories: `"${socketDirectoryOf(home).replaceAll('"', '""')}"`,
  unix_socket_permissions: "0700",
  max_connections: "60",
  // Three processes that would read ahead, and one for replicas. A small database is in memory, and nothing replicates it.
  io_method: "sync",
  max_logical_replication_workers: "0",
  // After a crash, one call for the file system instead of one for each of 1,400 files, which takes seconds on a busy disk.
  ...(process.platform === "linux" && { recovery_init_sync_method: "syncfs" }),
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "on",
  log_directory: join(home.seenAs, "log"),
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  // Error details contain values of rows, which are health data.
  log_error_verbosity: "terse",
  ...settings,
})
