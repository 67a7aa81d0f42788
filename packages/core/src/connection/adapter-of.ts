import type { CallPurpose, VendorAdapter } from "@restwell/providers"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"

/** Only such names are repeated in an error message. */
const NAME = /^[a-z0-9-]{1,32}$/

/** Returns the adapter of a provider that the operator configured. @throws {NotFound} */
export function adapterOf(context: Context, provider: string, purpose: CallPurpose = "person"): VendorAdapter {
  const adapters = purpose === "person" ? context.adapters : context.adaptersFor(purpose)
  const adapter = adapters.get(provider)
  if (adapter) return adapter
  const known = [...adapters.keys()].join(", ")
  throw new NotFound(
    `provider ${NAME.test(provider) ? provider : "of that name"} is not available here, ${known ? `try ${known}` : "the operator configured none"}`,
  )
}
