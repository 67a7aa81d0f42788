import type { IncomingMessage } from "node:http"
import { parseApiKey, Unauthorized } from "@restwell/core"

const WHERE = "send the header Authorization: Bearer <key>, the key is in the dashboard"

/** Where other services take a key, and proxies and browsers keep it. RFC 6750 5.3. */
const KEY_IN_ADDRESS = /[?&](?:api[_-]?key|key|token|access_token|bearer|authorization)=/i
const NOT_IN_ADDRESS = "it is not taken from the address, where logs would keep it"

/**
 * The hash, in hex, of the API key in `Authorization`, which is exactly the word Bearer, one space, the key. Spec 5.1.
 * @throws {Unauthorized} that says what is wrong, and never repeats what was sent
 */
export function readBearer({ rawHeaders, headers, url = "" }: IncomingMessage): string {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization").length
  if (count === 0 && KEY_IN_ADDRESS.test(url)) throw new Unauthorized(`missing API key: ${NOT_IN_ADDRESS}, ${WHERE}`)
  if (count === 0) throw new Unauthorized(`missing API key: ${WHERE}`)
  if (count > 1) throw new Unauthorized("invalid API key: there is more than one Authorization header, send one")
  const value = headers.authorization ?? ""
  const key = /^Bearer ([^ ]+)$/.exec(value)?.[1]
  if (key === undefined) throw new Unauthorized(`invalid API key: ${describeFault(value)}`)
  const parsed = parseApiKey(key)
  if (!parsed) throw new Unauthorized(`invalid API key: ${describeKeyFault(key)}`)
  return parsed.keyHash
}

function describeFault(value: string): string {
  if (/^rw_/.test(value)) return "the word Bearer and one space are missing before the key"
  if (!/^bearer\b/i.test(value)) return "the scheme must be Bearer"
  if (!value.startsWith("Bearer")) return "the scheme is written Bearer, with a capital B"
  if (/^Bearer\s*$/.test(value)) return "there is no key after Bearer"
  return "after Bearer come one space and the key, nothing else"
}

function describeKeyFault(key: string): string {
  if (/^["'<]/.test(key)) return "leave the quotes or angle brackets around the key out"
  if (!key.startsWith("rw_")) return "keys begin with rw_"
  return "this is not a whole key, copy it again or make a new one in the dashboard"
}
