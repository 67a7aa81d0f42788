import type { Simulator } from "@restwell/simulator"
import type { TokenSet, VendorAdapter } from "../src/index.ts"

/** Takes a person through the simulator's consent, which it gives by itself, and trades the code for tokens. */
export async function connect(simulator: Simulator, adapter: VendorAdapter, email: string): Promise<TokenSet> {
  const redirectUri = "https://rest.example/callback"
  const state = adapter.createState()
  const url = adapter.authorizeUrl({ state, redirectUri })
  url.searchParams.set("login_hint", email)
  const response = await fetch(url, { redirect: "manual" })
  const callback = new URL(response.headers.get("location") ?? "missing:")
  const code = callback.searchParams.get("code")
  if (callback.searchParams.get("state") !== state || code === null) throw new Error(`${simulator.url} gave no code`)
  return adapter.exchangeCode({ code, redirectUri })
}

/** How an adapter reaches a simulator. */
export function simulatorCredentials(simulator: Simulator) {
  return { baseUrl: simulator.url, clientId: "simulator-client", clientSecret: "simulator-secret" }
}
