import { AppRefused, AuthorizationRevoked, ProviderError, type VendorAdapter } from "@restwell/providers"

/**
 * Asks the vendor about an app's credentials with a refresh token that nobody has. A vendor that knows the app refuses only the token.
 * `unknown` if the vendor does not answer, or answers something else.
 */
export async function checkApp({
  refreshTokens,
}: Pick<VendorAdapter, "refreshTokens">): Promise<"accepted" | "refused" | "unknown"> {
  try {
    await refreshTokens("restwell-checks-the-app")
    return "unknown"
  } catch (error) {
    if (error instanceof AuthorizationRevoked) return "accepted"
    if (error instanceof AppRefused) return "refused"
    if (error instanceof ProviderError) return "unknown"
    throw error
  }
}
