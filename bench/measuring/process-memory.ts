import { readFile } from "node:fs/promises"

/** MB of a process, now or the most it ever had. Undefined for a process that has ended. @see proc_pid_status(5) */
export async function memoryOf(pid: number | undefined, field: "VmRSS" | "VmHWM"): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
}
