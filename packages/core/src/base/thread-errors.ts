/** A copy of an error in another thread lacks its class and its own fields, such as PostgreSQL's code. These are sent beside it. */
export interface SentError {
  readonly error: unknown
  readonly fields: Readonly<Record<string, string>>
}

export function sendError(error: unknown): SentError {
  const fields = Object.entries(error instanceof Error ? error : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  )
  return { error, fields: Object.fromEntries(fields) }
}

export const receiveError = ({ error, fields }: SentError): unknown =>
  error instanceof Error ? Object.assign(error, fields) : error
