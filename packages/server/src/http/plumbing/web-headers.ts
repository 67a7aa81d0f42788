import type { FastifyRequest } from "fastify"

/** Node's headers as the web's. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  return result
}
