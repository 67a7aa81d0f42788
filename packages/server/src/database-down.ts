/** Errors of the network and of PostgreSQL's classes 08, 53 and 57: it is not there, full, stopping or starting. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? String(error.code) : ""
  return (
    /^(?:08|53|57)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/.test(code) ||
    /^(?:timeout exceeded when trying to connect|Connection terminated)/.test(error.message)
  )
}
