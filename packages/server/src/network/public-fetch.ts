// Fetches URLs that strangers name, such as a client's metadata document. They must not reach private addresses, or block the service.
import type { IncomingMessage } from "node:http"
import { Agent, request } from "node:https"
import { unlessAborted } from "../process/wait.ts"
import { isPublicAddress } from "./addresses.ts"
import { type Lookup, lookupInDns, type ResolvedAddress, resolveHost, separateConnection } from "./resolve-host.ts"

export interface PublicFetchOptions {
  /** All addresses of a host. @default the DNS */
  readonly lookup?: Lookup
  /** Whether an address may be connected to. @default isPublicAddress */
  readonly isAllowed?: (address: string) => boolean
  /** Whether a port may be connected to. @default only 443 */
  readonly isAllowedPort?: (port: number) => boolean
  /** Certificate authorities to trust in place of the usual ones, PEM. */
  readonly ca?: string
  /** From resolving the host to the body's last byte, milliseconds. @default 3000 */
  readonly timeoutMs?: number
  /** Of the body, bytes. @default 5120, draft-ietf-oauth-client-id-metadata-document-00 6.6 */
  readonly maxBytes?: number
}

export type PublicFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The document was not fetched. Strangers may see the message, so it never contains what a name resolves to in this network. */
export class DocumentRefused extends Error {
  override readonly name = "DocumentRefused"
}

const HTTPS_PORT = 443
const DEFAULT_TIMEOUT_MS = 3000
const DEFAULT_MAX_BYTES = 5 * 1024
const JSON_TYPE = /^application\/(?:[\w.!#$&^+-]+\+)?json[\t ]*(?:;|$)/i
const KEPT_HEADERS = ["content-type", "cache-control"] as const

type Limits = Required<Omit<PublicFetchOptions, "ca">> & Pick<PublicFetchOptions, "ca">

/**
 * Returns a `fetch` for small JSON documents of strangers: one GET over TLS, to a public address, without credentials. It uses only the URL,
 * method and signal of a request, and keeps only the type and caching headers of a response. It throws `DocumentRefused` for anything else.
 */
export function createPublicFetch(options: PublicFetchOptions = {}): PublicFetch {
  const limits: Limits = {
    lookup: lookupInDns(),
    isAllowed: isPublicAddress,
    isAllowedPort: (port) => port === HTTPS_PORT,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    maxBytes: DEFAULT_MAX_BYTES,
    ...options,
  }
  return async (input, init) => {
    const signals = [AbortSignal.timeout(limits.timeoutMs), init?.signal, input instanceof Request && input.signal]
    const signal = AbortSignal.any(signals.filter((one) => one instanceof AbortSignal))
    const url = plainUrl(limits, input, init)
    // A lookup is not cancelled: it ends by itself.
    return await unlessAborted(fetchDocument(limits, url, signal), signal).catch((cause: unknown) => {
      if (cause instanceof DocumentRefused) throw cause
      throw new DocumentRefused(signal.aborted ? "no whole answer in time" : "no usable answer", { cause })
    })
  }
}

/** @throws {DocumentRefused} for all but a GET of an https URL without credentials, at an allowed port */
function plainUrl(limits: Limits, input: string | URL | Request, init: RequestInit | undefined): URL {
  const url = URL.parse(input instanceof Request ? input.url : input)
  const method = init?.method ?? (input instanceof Request ? input.method : "GET")
  if (method !== "GET") throw new DocumentRefused("only GET is sent")
  if (url?.protocol !== "https:") throw new DocumentRefused("the URL is not https")
  if (url.username !== "" || url.password !== "") throw new DocumentRefused("the URL carries a user name or a password")
  if (!limits.isAllowedPort(Number(url.port || HTTPS_PORT))) throw new DocumentRefused("the URL names another port")
  return url
}

async function fetchDocument(limits: Limits, url: URL, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
  const addresses = await resolve(limits, url.hostname)
  // The time may have passed during the lookup.
  signal.throwIfAborted()
  const response = await open(limits, url, addresses, signal)
  try {
    refuseUnlessJson(response)
    const body = await readBody(response, limits.maxBytes)
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = response.headers[name]
      return value === undefined ? [] : [[name, value] satisfies [string, string]]
    })
    return new Response(body, { status: 200, headers })
  } finally {
    response.destroy()
  }
}

/** All addresses must be allowed: a private one among public ones is an attack, or a mistake. */
async function resolve(limits: Limits, host: string): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolveHost(host, limits.lookup)
  // The same error for private and unknown names, or a stranger could list the names of this network.
  if (addresses.length === 0 || !addresses.every(({ address }) => limits.isAllowed(address))) {
    throw new DocumentRefused("the host has no public address")
  }
  return addresses
}

/** Connects to the checked addresses, even if the name resolves to others by now. */
async function open(
  limits: Limits,
  url: URL,
  addresses: readonly ResolvedAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const agent = new Agent(separateConnection(addresses, limits.ca))
  const headers = { accept: "application/json", "accept-encoding": "identity", "user-agent": "Restwell" }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { agent, headers, signal }).once("response", resolve).on("error", reject).end()
  return await promise
}

function refuseUnlessJson({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400) throw new DocumentRefused("the host redirects")
  if (statusCode !== 200) throw new DocumentRefused(`the host answered with status ${statusCode}`)
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) throw new DocumentRefused("the document is not JSON by its type")
  // A compressed document could unpack to a thousand times its size.
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    throw new DocumentRefused("the document is compressed")
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new DocumentRefused(`the document is larger than ${maxBytes} bytes`)
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw tooLarge
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> = response
  // A throw in the loop closes the connection.
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
