import { approveAtVendor, VENDOR_APP } from "@restwell/testing/vendor"
import type { OauthAdapter, TokenSet } from "../src/index.ts"

/** Takes a person through the vendor's consent, and exchanges the code for tokens. */
export async function connect(adapter: OauthAdapter, email: string): Promise<TokenSet> {
  const redirectUri = "https://rest.example/callback"
  const state = adapter.createState()
  const callback = await approveAtVendor(adapter.authorizeUrl({ state, redirectUri }), { email })
  const code = callback.searchParams.get("code")
  if (callback.searchParams.get("state") !== state || code === null) throw new Error("the vendor gave no code")
  return adapter.exchangeCode({ code, redirectUri })
}

/** How an adapter reaches a simulated vendor. */
export const simulatorCredentials = ({ url }: { readonly url: string }) => ({ baseUrl: url, ...VENDOR_APP })
