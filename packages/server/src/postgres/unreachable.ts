/** There is no database to use at DATABASE_URL. */
export class UnreachableDatabase extends Error {
  override readonly name = "UnreachableDatabase"
}

/**
 * What is wrong with DATABASE_URL, by the code of a failed connection.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const CONNECT_ADVICE: Readonly<Record<string, string>> = {
  "28P01": "it refuses the password: correct the user or the password",
  "28000": "it refuses the user: correct the user, or allow it in the server's pg_hba.conf",
  "3D000": "it has no database of that name: create it, or correct the name",
  "42501": "the user lacks permission to make tables: make it the owner of the database",
  ENOTFOUND: "its host is not known: correct the host name",
  EAI_AGAIN: "its host cannot be looked up now: correct the host name, or try again",
  ECONNREFUSED: "nothing listens there: start PostgreSQL, or correct host and port",
  ENOENT: "nothing listens there: start PostgreSQL, or correct the host",
  EACCES: "this user may not open its socket: start as another user, or correct the host",
  ECONNRESET: "it is not a PostgreSQL, or ended the connection: correct host and port",
  ETIMEDOUT: "it does not answer: correct host and port, or let the network through",
  EHOSTUNREACH: "there is no way to its host: correct the host, or the network",
  ENETUNREACH: "there is no way to its host: correct the host, or the network",
}
/** Messages of pg for a server that speaks another protocol, or says nothing. */
const NO_POSTGRES = /^(?:Connection terminated|received invalid response|The server does not support SSL)/
const NO_ANSWER = /^timeout (?:exceeded|expired)/

/** The failure of a first connection to DATABASE_URL in words for the operator, without its password. Returns other errors as they are. */
export function unreachable(databaseUrl: string | undefined, cause: unknown): unknown {
  const url = URL.parse(databaseUrl ?? "")
  if (url === null || !(cause instanceof Error)) return cause
  const code = "code" in cause ? String(cause.code) : ""
  const known = NO_POSTGRES.test(cause.message) ? "ECONNRESET" : NO_ANSWER.test(cause.message) ? "ETIMEDOUT" : code
  const advice = CONNECT_ADVICE[known]
  if (advice === undefined) return cause
  const where = `${url.searchParams.get("host") ?? url.hostname}${url.port && `:${url.port}`}${url.pathname}`
  return new UnreachableDatabase(`cannot use the database of DATABASE_URL (${where}): ${advice}`, { cause })
}
