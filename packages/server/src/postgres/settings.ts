import { join } from "node:path"
import type { Cluster } from "./cluster.ts"

/** What a small service needs: no port, everything synced, a log of a week. These win over the cluster's own files. */
export const settingsOf = ({ home, settings }: Cluster): Readonly<Record<string, string>> => ({
  listen_addresses: "",
  // A list: the quotes keep a comma in the path from cutting it.
  unix_socket_directories: `"${home.socketDirectory.replaceAll('"', '""')}"`,
  unix_socket_permissions: "0700",
  max_connections: "60",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "on",
  log_directory: join(home.directory, "log"),
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  // The details of an error hold values of the rows at fault, which are people's health.
  log_error_verbosity: "terse",
  ...settings,
})

/** Settings as arguments of the server. */
export const settingArguments = (cluster: Cluster): string[] =>
  Object.entries(settingsOf(cluster)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
