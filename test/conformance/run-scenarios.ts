/** Runs the official conformance suite of the Model Context Protocol against a server or an authorization server. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runCommand } from "./command.ts"
import { readResults, type ScenarioResult } from "./results.ts"

/** The protocol versions that the suite knows, oldest first; its `list` refuses every other. */
export const SPEC_VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const
export type SpecVersion = (typeof SPEC_VERSIONS)[number]

/** A scenario talks to a loopback server, in bursts of a second at the most. */
const SCENARIO_TIME_LIMIT_MS = 60_000
/** Includes the sign-in and consent of a person or browser. */
const AUTHORIZATION_TIME_LIMIT_MS = 100_000

/** The suite's server scenarios for a version. Without a version: all, extensions included. */
export async function listServerScenarios(specVersion?: SpecVersion): Promise<string[]> {
  const version = specVersion ? ["--spec-version", specVersion] : []
  const output = await runCommand(["list", "--server", ...version], { timeLimitMs: SCENARIO_TIME_LIMIT_MS })
  return Array.from(output.matchAll(/^ +- (\S+)/gm), ([, name = ""]) => name)
}

export interface ServerRun {
  /** The connector's address. */
  readonly url: string
  readonly specVersion: SpecVersion
  /** @default all that the suite has for this version */
  readonly scenarios?: readonly string[]
  readonly skip?: readonly string[]
}

/** Returns one result per scenario, in the suite's order. Throws if there is none, for example for an unknown name. */
export async function runServerScenarios({
  url,
  specVersion,
  scenarios,
  skip = [],
}: ServerRun): Promise<ScenarioResult[]> {
  const names = (scenarios ?? (await listServerScenarios(specVersion))).filter((name) => !skip.includes(name))
  const results: ScenarioResult[] = []
  for (const name of names) {
    const args = ["server", "--url", url, "--scenario", name, "--spec-version", specVersion]
    results.push(...(await run(args, { timeLimitMs: SCENARIO_TIME_LIMIT_MS })))
  }
  return results
}

export interface AuthorizationRun {
  readonly issuer: string
  /** The `resource` of the token request (RFC 8707). */
  readonly resource: string
  /** A public client, registered with the redirect URI `http://127.0.0.1:<port>/callback`. */
  readonly clientId: string
  readonly port: number
  /** Takes a browser through signing in and consent until it is sent to the callback. */
  readonly approve: (authorizationUrl: string) => Promise<void>
}

/** One result per authorization server scenario. Rejects when `approve` does, which is then the cause. */
export function runAuthorizationScenarios(to: AuthorizationRun): Promise<ScenarioResult[]> {
  const { issuer, clientId, resource, port } = to
  const args = ["authorization", "--url", issuer, "--client-id", clientId, "--resource", resource, "-p", String(port)]
  return run(args, { timeLimitMs: AUTHORIZATION_TIME_LIMIT_MS, onLine: whenReady(to.approve) })
}

/** Passes on the URL to open once the callback server listens, because the suite may print the URL earlier. */
function whenReady(approve: AuthorizationRun["approve"]): (line: string) => Promise<void> | undefined {
  let authorizationUrl = ""
  let isListening = false
  return (line) => {
    if (line.startsWith("Callback server started")) isListening = true
    else if (isAuthorizationUrl(line)) authorizationUrl = line
    else return undefined
    return isListening && authorizationUrl ? approve(authorizationUrl) : undefined
  }
}

const isAuthorizationUrl = (line: string): boolean =>
  URL.canParse(line) && new URL(line).searchParams.get("response_type") === "code"

async function run(args: string[], options: Parameters<typeof runCommand>[1]): Promise<ScenarioResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "restwell-conformance-"))
  try {
    const output = await runCommand([...args, "-o", folder], options)
    const results = await readResults(folder)
    if (results.length === 0) throw new Error(`the conformance suite left no result\n${output}`)
    return results
  } finally {
    await rm(folder, { recursive: true })
  }
}
