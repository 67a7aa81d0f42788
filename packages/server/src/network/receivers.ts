/*
 * Requests to addresses that people name for their messages: webhooks and ntfy. Public addresses are reached over TLS alone. A private address
 * is reached only if the owner listed its host, so that nobody with an account reaches the devices and services of the owner's network.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { SECOND_MS } from "@restwell/client/time-units"
import {
  createNtfySender,
  createWebhookSender,
  type Post,
  readNtfyToken,
  type Senders,
  type SendPost,
} from "@restwell/core"
import { unlessAborted } from "../process/wait.ts"
import { readPushKeys } from "../push/push-keys.ts"
import { createPushSender } from "../push/push-sender.ts"
import { isPublicAddress, reachOf } from "./addresses.ts"
import { isListed } from "./private-hosts.ts"
import {
  type Lookup,
  lookupInDns,
  lookupInSystem,
  plainHost,
  type ResolvedAddress,
  resolveHost,
  separateConnection,
} from "./resolve-host.ts"
import { isServicePort, portOf } from "./service-ports.ts"

export interface ReceiverOptions {
  /** Hosts that may have private addresses, each with a port or not, as `readPrivateHost` returns them. They may change. */
  readonly privateHosts: () => readonly string[]
  /** @default the system's resolver for hosts that the owner listed, and the DNS for others */
  readonly lookup?: Lookup
  /** Certificate authorities to trust in place of the usual ones, PEM. */
  readonly ca?: string
  /** From resolving the host to the answer, milliseconds. @default 15000, as Standard Webhooks advises */
  readonly timeoutMs?: number
}

/** What people's receivers are reached by. */
export interface ReceiverNetwork {
  readonly send: SendPost
  /** Why nothing can be sent to an address, in words. Undefined if it may be. Sends nothing. */
  findProblem(url: string): Promise<string | undefined>
  /** The same for an address that is entered before it works: a name that is not known yet may be. */
  findRefusal(url: string): Promise<string | undefined>
}

/** What signs messages to browsers. */
interface PushParts {
  readonly context: Parameters<typeof readPushKeys>[0]
  readonly baseUrl: () => string
}

/** What sends messages, by kind of receiver. */
export const sendersOf = ({ send }: ReceiverNetwork, { context, baseUrl }: PushParts): Senders => ({
  webhook: createWebhookSender(send),
  ntfy: createNtfySender(send, { baseUrl, tokenOf: (userId) => readNtfyToken(context, userId) }),
  push: createPushSender({ post: send, keys: () => readPushKeys(context), baseUrl }),
})

const DEFAULT_TIMEOUT_MS = 15 * SECOND_MS
/** Of an answer, bytes. Nobody reads more. */
const LONGEST_ANSWER = 2_048
/** Ports below this one are those of other services, such as mail. RFC 6335 6 */
const FIRST_FREE_PORT = 1_024
const HTTPS_PORT = 443

interface Problem {
  /** In words. */
  readonly problem: string
  /** True where nothing is ever sent to an address like this one, unless the owner allows it. */
  readonly isRefused?: boolean
}

interface Target {
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
}

type Limits = ReceiverOptions & Required<Pick<ReceiverOptions, "timeoutMs">>

export function createReceiverNetwork(options: ReceiverOptions): ReceiverNetwork {
  const limits: Limits = { timeoutMs: DEFAULT_TIMEOUT_MS, ...options }
  const find = (text: string) => unlessLate<Target | Problem>(limits, undefined, () => findTarget(limits, text))
  return {
    async findProblem(text) {
      const target = await find(text)
      return "problem" in target ? target.problem : undefined
    },
    async findRefusal(text) {
      const target = await find(text)
      return "problem" in target && target.isRefused === true ? target.problem : undefined
    },
    async send(post, signal) {
      const answer = await unlessLate<IncomingMessage | Problem>(limits, signal, async (both) => {
        const target = await findTarget(limits, post.url)
        return "problem" in target ? target : sendTo(limits, target, post, both)
      })
      if ("problem" in answer) return { problem: answer.problem }
      return { status: answer.statusCode ?? 0, text: await readBeginning(answer) }
    },
  }
}

/** What fails, or takes too long, is a problem of the receiver. */
async function unlessLate<Result>(
  { timeoutMs }: Limits,
  stopping: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Problem> {
  const late = AbortSignal.timeout(timeoutMs)
  const signal = stopping ? AbortSignal.any([late, stopping]) : late
  try {
    // A lookup is not cancelled: it ends by itself.
    return await unlessAborted(work(signal), signal)
  } catch (error) {
    return { problem: late.aborted ? `it did not answer within ${timeoutMs / SECOND_MS} seconds` : problemOf(error) }
  }
}

const inDns = lookupInDns()

async function findTarget({ lookup, privateHosts }: Limits, text: string): Promise<Target | Problem> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: "the address has to begin with https://" }
  if (url.username !== "" || url.password !== "")
    return { problem: "the address has a user name or password: leave it out" }
  const isOwners = isListed(url, privateHosts())
  // No DNS knows a name of a home network.
  if (!isOwners && reachOf(url.hostname) !== "internet") return { problem: privateText(url), isRefused: true }
  const addresses = await resolveHost(url.hostname, lookup ?? (isOwners ? lookupInSystem : inDns))
  if (addresses.length === 0)
    return { problem: `${url.hostname} is not known: check its spelling, and that its DNS entry exists` }
  if (isOwners) return { url, addresses }
  // All of them: a private one among public ones is an attack, or a mistake.
  if (!addresses.every(({ address }) => isPublicAddress(address))) return { problem: privateText(url), isRefused: true }
  if (url.protocol === "http:")
    return {
      problem: "the address has to begin with https://: without it, others on the way can read what is sent",
      isRefused: true,
    }
  const port = portOf(url)
  if (port !== HTTPS_PORT && (port < FIRST_FREE_PORT || isServicePort(port)))
    return { problem: `port ${port} belongs to another service`, isRefused: true }
  return { url, addresses }
}

/** With the port where an entry has to name it. */
const privateText = (url: URL): string => {
  const where = reachOf(url.hostname) === "this_computer" ? "is this computer" : "is in your home network"
  return `${isServicePort(portOf(url)) ? url.host : plainHost(url.hostname)} ${where}. Allow it on the page Service.`
}

async function sendTo(
  { ca }: Limits,
  { url, addresses }: Target,
  { headers, body }: Post,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    method: "POST",
    signal,
    headers: { "user-agent": "Restwell", ...headers, "content-length": Buffer.byteLength(body) },
  }
  const connection = separateConnection(addresses, ca)
  const sent =
    url.protocol === "http:"
      ? httpRequest(url, { ...options, agent: new HttpAgent(connection) })
      : httpsRequest(url, { ...options, agent: new HttpsAgent(connection) })
  sent.once("response", resolve).on("error", reject).end(body)
  const response = await promise
  // The body has the rest of the time.
  signal.addEventListener("abort", () => response.destroy(), { once: true })
  if (signal.aborted) response.destroy()
  return response
}

/** The status is the answer, so a body that breaks off or never ends is cut. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> = response
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= LONGEST_ANSWER) break
    }
  } catch {
    // What arrived is displayed.
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks).subarray(0, LONGEST_ANSWER).toString("utf8")
}

const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, "nothing listens at this address: check the port, and that the receiver runs"],
  [/EHOSTUNREACH|ENETUNREACH/, "there is no way to this address from here"],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|SSL|EPROTO/, "its TLS certificate is not valid"],
  [/ECONNRESET|EPIPE|HPE_|hang up/, "it closed the connection without an answer"],
]

function problemOf(error: unknown): string {
  const text = error instanceof Error ? `${"code" in error ? String(error.code) : ""} ${error.message}` : ""
  return PROBLEMS.find(([pattern]) => pattern.test(text))?.[1] ?? "it cannot be reached from here"
}
