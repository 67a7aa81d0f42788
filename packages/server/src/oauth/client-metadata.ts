import { z } from "zod"
import { errors } from "./oidc-library.ts"
import { redirectUrisFault } from "./redirect-uri.ts"

/**
 * Our rules for what a client says of itself, whether it registers (RFC 7591) or is a document at its own address. They are looked at each
 * time a client is read, so that a stored one has no older rules.
 */
const MetadataSchema = z.looseObject({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string()).default([]),
  sector_identifier_uri: z.undefined({ error: "is not taken" }).optional(),
})

/** @throws {errors.InvalidClientMetadata | errors.InvalidRedirectUri} RFC 7591 3.2.2 */
export function checkClientMetadata(metadata: unknown): void {
  const parsed = MetadataSchema.safeParse(metadata)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new errors.InvalidClientMetadata(`${issue?.path.join(".") ?? "metadata"} ${issue?.message ?? "is not valid"}`)
  }
  const fault = redirectUrisFault(parsed.data.redirect_uris)
  if (fault !== undefined) throw new errors.InvalidClientMetadata(fault)
}
