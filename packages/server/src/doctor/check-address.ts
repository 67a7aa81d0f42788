// Checks of the way from the outside to the service: address, certificate, proxy.
import { isPlainOnPublicAddress, isPublicAddress, reachOf } from "../network/addresses.ts"
import { type Facts, failed, type Outcome, ok, skipped } from "./facts.ts"
import { type Answer, CLAIMED_ADDRESS, type Seen } from "./service-proof.ts"

/** The running service has this version and these settings. */
export async function checkService(facts: Facts): Promise<Outcome> {
  if (!(await facts.isServiceRunning())) return skipped("it does not run, so nothing could be asked of it")
  const answers = await Promise.all([facts.local(), facts.public()])
  const seen = answers.find((answer) => answer.from === "ours")?.seen
  if (!seen) return skipped("it runs, and answers neither on HOST and PORT nor at BASE_URL")
  if (seen.version !== facts.version)
    return failed(`version ${seen.version} runs, and this program is ${facts.version}`, "restart the service")
  const isReached = answers[1].from === "ours"
  if (seen.base_url !== facts.baseUrl && !isReached)
    return skipped(`version ${seen.version} runs with BASE_URL=${seen.base_url}, which is not this one`)
  if (seen.base_url !== facts.baseUrl)
    return failed(
      `the running service has BASE_URL=${seen.base_url}, and the settings here have ${facts.baseUrl}`,
      "restart the service, or run this with its settings",
    )
  return ok(`version ${seen.version} runs`)
}

/** Why BASE_URL cannot be reached, by the code of the failed request. */
const REACH_ADVICE: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ENOTFOUND: ["its name is not known", "correct BASE_URL, or make a DNS record for the name"],
  EAI_AGAIN: ["its name cannot be looked up now", "check the network and DNS of this machine"],
  ECONNREFUSED: ["nothing listens there", "start the proxy or tunnel in front of the service, or correct BASE_URL"],
  ETIMEDOUT: [
    "it does not answer",
    "open the port in the firewall and router. If it works from outside, the router does not lead this machine to its own address",
  ],
  EHOSTUNREACH: ["there is no way to it", "correct BASE_URL or the network"],
  ENETUNREACH: ["there is no way to it", "correct BASE_URL or the network"],
  ECONNRESET: ["it ends the connection", "check the proxy in front of the service"],
}

/** What is wrong with its certificate. */
const CERTIFICATE_ADVICE: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  CERT_HAS_EXPIRED: ["has expired", "renew it, and check why the proxy did not"],
  CERT_NOT_YET_VALID: ["is not valid yet", "correct the clock of this machine, or wait"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["is for another name", "get a certificate for the name in BASE_URL"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["is signed by itself", "get one of a public authority, as Caddy does by itself"],
  SELF_SIGNED_CERT_IN_CHAIN: ["is of an authority that nobody knows", "get one of a public authority"],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["is of an authority that nobody knows", "get one of a public authority"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "comes without the certificates up to a known authority",
    "let the proxy send the whole chain, or get a certificate of a public authority",
  ],
}

/** People reach this service at BASE_URL. */
export async function checkPublicAddress(facts: Facts): Promise<Outcome> {
  const { baseUrl, config } = facts
  if (config.baseUrl === undefined || isOwnAddress(facts))
    return ok("BASE_URL is not set, so the service is for this machine")
  if (isPlainOnPublicAddress(baseUrl))
    return failed(
      `${baseUrl} is a public address without https, so passwords can be read on the way`,
      "put a proxy with TLS in front, and set BASE_URL to its https address",
    )
  return await describeAnswer(facts, await facts.public())
}

async function describeAnswer(facts: Facts, answer: Answer): Promise<Outcome> {
  const { baseUrl } = facts
  if (answer.from === "ours") return ok(`${baseUrl} leads to this service`)
  if (answer.from === "stranger" && answer.isProofMissing)
    return failed(
      `the proxy at ${baseUrl} does not pass the header Authorization on, which has the keys of people`,
      "let it forward the headers of requests unchanged",
    )
  if (answer.from === "stranger" && (await facts.isSecretWrong())) return skipped("the secret is not known")
  if (answer.from === "stranger")
    return failed(
      `${baseUrl} leads to another Restwell, with another secret`,
      "correct BASE_URL, the DNS record or the proxy",
    )
  const isDown = !(await facts.isServiceRunning())
  // Without a proxy, a service that is stopped refuses connections.
  if (answer.from === "nobody" && answer.code === "ECONNREFUSED" && isDown) return skipped("the service does not run")
  if (answer.from === "nobody") return unreachable(baseUrl, answer.code)
  if (answer.location !== null)
    return failed(`${baseUrl} redirects to ${answer.location}`, "set BASE_URL to the address that answers itself")
  if (isDown && answer.status >= 500) return skipped("the service does not run")
  if (answer.status >= 500)
    return failed(
      `the proxy at ${baseUrl} answers ${answer.status} and does not reach the service`,
      `let it forward to HOST and PORT (${facts.config.host}:${facts.config.port})`,
    )
  if (answer.status === 401 || answer.status === 403)
    return failed(
      `the proxy at ${baseUrl} refuses requests itself (status ${answer.status})`,
      "let it forward every request without a sign-in of its own",
    )
  return failed(
    `${baseUrl} leads to another program (status ${answer.status})`,
    "correct BASE_URL, the DNS record or the proxy",
  )
}

function unreachable(baseUrl: string, code: string): Outcome {
  const certificate = CERTIFICATE_ADVICE[code]
  if (certificate) return failed(`the certificate of ${baseUrl} ${certificate[0]}`, certificate[1])
  if (/^(?:ERR_SSL|EPROTO)/.test(code))
    return failed(`${baseUrl} does not speak TLS`, "let the proxy serve https on that port, or correct BASE_URL")
  const [what, remedy] = REACH_ADVICE[code] ?? [`it cannot be reached (${code})`, "check the proxy and the network"]
  return failed(`${baseUrl}: ${what}`, remedy)
}

/** BASE_URL is the service's own port on this machine. */
function isOwnAddress({ config, baseUrl }: Facts): boolean {
  const { hostname, port, protocol } = new URL(baseUrl)
  return protocol === "http:" && reachOf(hostname) === "this_computer" && Number(port) === config.port
}

/** TRUST_PROXY fits the proxy in front. */
export async function checkProxy(facts: Facts): Promise<Outcome> {
  const { trustProxy } = facts.config
  if (trustProxy === true) return skipped("its setting has a mistake")
  const answer = await facts.public()
  if (answer.from !== "ours") return skipped("the service was not reached at BASE_URL")
  const { seen } = answer
  // The service itself speaks http alone.
  const hasProxy = facts.baseUrl.startsWith("https:") || seen.forwarded_for !== CLAIMED_ADDRESS
  if (!hasProxy)
    return trustProxy === false
      ? ok("no proxy is in front of the service, and none is trusted")
      : failed(
          `TRUST_PROXY=${trustProxy} is set, and requests to BASE_URL come without a proxy's X-Forwarded-For`,
          "let the proxy set X-Forwarded-For, or remove TRUST_PROXY if there is no proxy",
        )
  return behindProxy(trustProxy, seen)
}

function behindProxy(trustProxy: number | string | false, { address, peer, ...seen }: Seen): Outcome {
  if (seen.forwarded_for === CLAIMED_ADDRESS)
    return failed(
      `the proxy (${peer}) does not set X-Forwarded-For`,
      `let it add the visitor's address to that header, and set TRUST_PROXY=${peer}`,
    )
  if (trustProxy === false)
    return failed(
      `a proxy (${peer}) is in front of the service, and TRUST_PROXY is not set, so limits count all people as one`,
      `set TRUST_PROXY=${peer}`,
    )
  if (!seen.is_peer_trusted)
    return failed(
      `requests come from the proxy ${peer}, which TRUST_PROXY=${trustProxy} does not name`,
      `set TRUST_PROXY=${peer}`,
    )
  // A proxy that names addresses of its own network believes the doctor in that network too.
  const visitor = seen.forwarded_for.split(",").at(-1)?.trim() ?? ""
  const isStranger = typeof trustProxy === "number" || isPublicAddress(visitor)
  if (address === CLAIMED_ADDRESS && isStranger)
    return failed(
      `TRUST_PROXY=${trustProxy} believes addresses that visitors claim`,
      "set it to the addresses of your proxies, or to their exact number",
    )
  return ok("TRUST_PROXY fits the proxy in front of the service")
}

/** Somebody owns the installation. */
export async function checkSetUp(facts: Facts): Promise<Outcome> {
  const open = await facts.setUp()
  return open === undefined ? ok("there is an owner") : skipped(open)
}
