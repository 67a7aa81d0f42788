import type { CallPurpose, VendorAdapter } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"

/** Only such names are repeated in an error message. */
const NAME = /^[a-z0-9-]{1,32}$/

/** Returns the adapter of a provider that the operator configured. Calls of a person's data need `personalAdapterOf`. @throws {NotFound} */
export const adapterOf = ({ adapters }: Pick<Context, "adapters">, provider: string): VendorAdapter =>
  findAdapter(adapters, provider)

/** Returns the adapter for calls of one person's data. They count against the person's share of the call budget. @throws {NotFound} */
export const personalAdapterOf = (
  { adaptersFor }: Pick<Context, "adaptersFor">,
  { userId, provider }: ConnectionId,
  purpose: CallPurpose,
): VendorAdapter => findAdapter(adaptersFor(purpose, userId), provider)

function findAdapter(adapters: ReadonlyMap<string, VendorAdapter>, provider: string): VendorAdapter {
  const adapter = adapters.get(provider)
  if (adapter) return adapter
  const known = [...adapters.keys()].join(", ")
  throw new NotFound(
    `provider ${NAME.test(provider) ? provider : "of that name"} is not available here, ${known ? `try ${known}` : "the operator configured none"}`,
  )
}
