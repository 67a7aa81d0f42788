import { sourceName } from "@restwell/client/figures"
import {
  AppRefused,
  AuthorizationRevoked,
  archiveSourceOf,
  type CallPurpose,
  type KeyAdapter,
  type OauthAdapter,
  ProviderError,
  type VendorAdapter,
} from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"

/** Only such names are repeated in an error message. */
const NAME = /^[a-z0-9-]{1,32}$/

/** Returns the adapter of a provider that the operator configured. Calls of a person's data need `personalAdapterOf`. @throws {NotFound} */
export const adapterOf = ({ adapters }: Pick<Context, "adapters">, provider: string): VendorAdapter =>
  findAdapter(adapters, provider)

/** Returns the adapter of a vendor that people connect on its own page. @throws {NotFound} */
export function oauthAdapterOf(context: Pick<Context, "adapters">, provider: string): OauthAdapter {
  const adapter = adapterOf(context, provider)
  if (adapter.access === "oauth") return adapter
  throw new NotFound(`${provider} is connected with a key, enter it on the page Connections`)
}

/** Returns the adapter of a vendor that people connect with a key of theirs. @throws {NotFound} */
export function keyAdapterOf(context: Pick<Context, "adapters">, provider: string): KeyAdapter {
  const adapter = adapterOf(context, provider)
  if (adapter.access === "key") return adapter
  throw new NotFound(`${provider} has no keys, connect it on the page Connections`)
}

/** Returns the adapter for calls of one person's data. They count against the person's share of the call budget. @throws {NotFound} */
export const personalAdapterOf = (
  { adaptersFor }: Pick<Context, "adaptersFor">,
  { userId, provider }: ConnectionId,
  purpose: CallPurpose,
): VendorAdapter => findAdapter(adaptersFor(purpose, userId), provider)

function findAdapter(adapters: ReadonlyMap<string, VendorAdapter>, provider: string): VendorAdapter {
  const adapter = adapters.get(provider)
  if (adapter) return adapter
  const archived = archiveSourceOf(provider)
  if (archived)
    throw new NotFound(
      archived.archiveSteps
        ? `${sourceName(provider)} has no connection, upload its archive on the page Connections`
        : "a phone has no connection, it pushes with a token of the page Connections",
    )
  const known = [...adapters.keys()].join(", ")
  throw new NotFound(
    `provider ${NAME.test(provider) ? provider : "of that name"} is not available here, ${known ? `try ${known}` : "the operator configured none"}`,
  )
}

/**
 * Asks the vendor about an app's credentials with a refresh token that nobody has. A vendor that knows the app refuses only the token.
 * `unknown` if the vendor does not answer, or answers something else.
 */
export async function checkApp({
  refreshTokens,
}: Pick<OauthAdapter, "refreshTokens">): Promise<"accepted" | "refused" | "unknown"> {
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
