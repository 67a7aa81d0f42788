import { connect, type TLSSocket } from "node:tls"
import { codeOf } from "./ask-service.ts"
import { failed, type Outcome } from "./result.ts"

const LONGEST_MS = 8_000
const DAY_MS = 86_400_000
/** Authorities renew a month before the end. */
const SOON_DAYS = 7

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  CERT_HAS_EXPIRED: ["has expired", "renew it, and check why the proxy did not"],
  CERT_NOT_YET_VALID: ["is not valid yet", "correct the clock of this machine, or wait"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["is for another name", "get a certificate for the name in BASE_URL"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["is signed by itself", "get one of a public authority, as Caddy does by itself"],
  SELF_SIGNED_CERT_IN_CHAIN: ["is of an authority that nobody knows", "get one of a public authority"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "comes without the certificates up to a known authority",
    "let the proxy send the whole chain, or get a certificate of a public authority",
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["is of an authority that nobody knows", "get one of a public authority"],
}

/** What is wrong with the certificate of an https address. Undefined for a good one, for http, and if nobody answers. */
export async function certificateFault(url: string, now: Date): Promise<Outcome | undefined> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== "https:") return undefined
  const host = hostname.replace(/^\[|\]$/g, "")
  try {
    const socket = await handshake(host, Number(port || 443))
    const { valid_to: validTo } = socket.getPeerCertificate()
    socket.destroy()
    const days = (new Date(validTo).getTime() - now.getTime()) / DAY_MS
    return days < SOON_DAYS
      ? failed(
          `the certificate of ${url} ends in ${Math.max(0, Math.floor(days))} days`,
          "check why the proxy does not renew it",
        )
      : undefined
  } catch (error) {
    const code = codeOf(error)
    const [what, remedy] = FAULTS[code] ?? []
    if (what !== undefined && remedy !== undefined) return failed(`the certificate of ${url} ${what}`, remedy)
    if (/^(?:CERT|CRL|UNABLE_TO|ERROR_IN_CERT|INVALID|PATH_LENGTH)_/.test(code))
      return failed(`the certificate of ${url} is refused (${code})`, "get one of a public authority")
    return /^(?:ERR_SSL|EPROTO)/.test(code)
      ? failed(`${url} does not speak TLS`, "let the proxy serve https on that port, or correct BASE_URL")
      : undefined
  }
}

async function handshake(host: string, port: number): Promise<TLSSocket> {
  const socket = connect({ host, port, servername: isName(host) ? host : "" })
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  socket.once("secureConnect", () => resolve(socket)).once("error", reject)
  socket.setTimeout(LONGEST_MS, () => socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })))
  return await promise
}

const isName = (host: string): boolean => !/^[\d.]+$|:/.test(host)
