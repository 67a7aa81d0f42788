import { randomUUID } from "node:crypto"
import type { AddressCheck } from "@restwell/client"
import { deriveKey } from "@restwell/core"
import { z } from "zod"
import { reachOf } from "./addresses.ts"

/** What only this installation can answer to a challenge. */
export const proofOf = (secret: string, challenge: string): string =>
  deriveKey(secret, `instance/${challenge}`).toString("hex")

const TIMEOUT_MS = 8_000
const ProofSchema = z.object({ proof: z.string() })

/** Asks the address for a proof that only this installation can give. */
export async function checkAddress(address: string, secret: string): Promise<AddressCheck> {
  const { protocol, hostname } = new URL(address)
  const problem = await problemOf(address, secret)
  return {
    is_reachable: problem === null,
    is_https: protocol === "https:",
    reach: reachOf(hostname),
    problem,
  }
}

async function problemOf(address: string, secret: string): Promise<string | null> {
  const challenge = randomUUID()
  try {
    const answer = await fetch(`${address}/api/service/instance?challenge=${challenge}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status >= 300 && answer.status < 400)
      return "the address redirects to another one: enter the one that people see in the end"
    if (answer.status >= 500) return `a proxy answers there with ${answer.status}: it does not reach this Restwell`
    const proof = ProofSchema.safeParse(await answer.json().catch(() => undefined)).data?.proof
    return proof === proofOf(secret, challenge) ? null : "another program answers at this address"
  } catch (error) {
    return reasonOf(error)
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "the name is not known: check its spelling, and that its DNS entry exists"],
  [/ECONNREFUSED/, "nothing answers at this address: check the port, the proxy and the port forwarding"],
  [/EHOSTUNREACH|ENETUNREACH/, "there is no way to this address from here"],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|SSL|EPROTO/, "its TLS certificate is not valid"],
  [/Timeout|TIMEOUT/, "it does not answer within 8 seconds: check the port forwarding of the router"],
]

function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  const codes = [error, cause].map((each) =>
    each instanceof Error ? `${each.name} ${"code" in each ? String(each.code) : ""} ${each.message}` : "",
  )
  return REASONS.find(([pattern]) => pattern.test(codes.join(" ")))?.[1] ?? "it cannot be reached from here"
}
