import type { IncomingMessage } from "node:http"
import { type HealthQuery, HealthQuerySchema, JournalQuerySchema, SeriesQuerySchema } from "@restwell/client"
import { parseApiKey, type ReadQuery, type SeriesReadQuery, Unauthorized } from "@restwell/core"
import { LRUCache } from "lru-cache"
import { z } from "zod"
import { parseParameters } from "../plumbing/requests.ts"

/** Clients repeat their queries. Validating one again would cost a cached read 7 % of its time. */
const parsedHealthQueries = new LRUCache<string, HealthQuery>({ max: 4_096 })
const LONGEST_REMEMBERED = 256

/** The query of a health read, from the raw query string. @throws {InvalidRequest} for the first fault in it */
export function parseHealthQuery(search: string): HealthQuery {
  const known = parsedHealthQueries.get(search)
  if (known) return known
  const query = parseParameters(search, HealthQuerySchema)
  if (search.length <= LONGEST_REMEMBERED) parsedHealthQueries.set(search, query)
  return query
}

/** The query of a journal read. @throws {InvalidRequest} for the first fault in it */
export const parseJournalQuery = (search: string): ReadQuery => ({
  ...parseParameters(search, JournalQuerySchema),
  type: "journal",
})

const NoParameters = z.object({})

/** A read of the sources. @throws {InvalidRequest} for any parameter */
export function parseSourcesQuery(search: string): ReadQuery {
  parseParameters(search, NoParameters)
  return { type: "sources" }
}

/** The query of a read of values within the day. @throws {InvalidRequest} for the first fault in it */
export function parseSeriesQuery(search: string): SeriesReadQuery {
  const { type, ...query } = parseParameters(search, SeriesQuerySchema)
  return { type: "series", series: type, ...query }
}

const WHERE = "send the header Authorization: Bearer <key>, the key is in the dashboard"

/** Names of query parameters that other services use for a key. Proxies and browsers would store it. RFC 6750 5.3 */
const KEY_IN_URL = /[?&](?:api[_-]?key|key|token|access_token|bearer|authorization)=/i
const NOT_IN_URL = "a key in the URL is not accepted, because logs would store it"

export const BEARER = /^Bearer ([^ ]+)$/

/**
 * Reads the API key from `Authorization`, which is exactly the word Bearer, one space and the key, and returns its hash in hex.
 * @throws {Unauthorized} that says what is wrong, and never repeats the header
 */
export function readBearer({ rawHeaders, headers, url = "" }: IncomingMessage): string {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization").length
  if (count === 0 && KEY_IN_URL.test(url)) throw new Unauthorized(`missing API key: ${NOT_IN_URL}, ${WHERE}`)
  if (count === 0) throw new Unauthorized(`missing API key: ${WHERE}`)
  if (count > 1) throw new Unauthorized("invalid API key: there is more than one Authorization header, send one")
  const value = headers.authorization ?? ""
  const key = BEARER.exec(value)?.[1]
  if (key === undefined) throw new Unauthorized(`invalid API key: ${describeHeaderError(value)}`)
  const parsed = parseApiKey(key)
  if (!parsed) throw new Unauthorized(`invalid API key: ${describeKeyError(key)}`)
  return parsed.keyHash
}

function describeHeaderError(value: string): string {
  if (/^rw_/.test(value)) return "the word Bearer and one space are missing before the key"
  if (!/^bearer\b/i.test(value)) return "the scheme must be Bearer"
  if (!value.startsWith("Bearer")) return "write the scheme as Bearer, with a capital B"
  if (/^Bearer\s*$/.test(value)) return "there is no key after Bearer"
  return "send Bearer, one space and the key, nothing else"
}

function describeKeyError(key: string): string {
  if (/^["'<]/.test(key)) return "remove the quotes or angle brackets around the key"
  if (key.startsWith("rwi_")) return "this token can only push, reads need the API key, which begins with rw_"
  if (key.startsWith("rws_"))
    return "this token opens a shared report alone, reads need the API key, which begins with rw_"
  if (!key.startsWith("rw_")) return "keys begin with rw_"
  return "the key is incomplete or mistyped, copy it again or make a new one in the dashboard"
}
