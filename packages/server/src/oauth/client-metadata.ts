import { unstorablePath } from "@restwell/providers"
import { z } from "zod"
import { errors } from "./oidc-library.ts"
import { redirectUrisError } from "./redirect-uri.ts"

/**
 * Rules for a client's metadata, from a registration (RFC 7591) or from a document at the client's own address. They are checked at each
 * read, so that stored clients follow the newest rules.
 */
const MetadataSchema = z.looseObject({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string()).default([]),
  sector_identifier_uri: z.undefined({ error: "is not supported" }).optional(),
})

/** @throws {errors.InvalidClientMetadata | errors.InvalidRedirectUri} RFC 7591 3.2.2 */
export function checkClientMetadata(metadata: unknown): void {
  // oidc-provider adds fields without a value, which JSON leaves out.
  const unstorable = unstorablePath(z.json().parse(JSON.parse(JSON.stringify(metadata))))
  if (unstorable !== undefined)
    throw new errors.InvalidClientMetadata(`${unstorable} contains characters that are not text`)
  const parsed = MetadataSchema.safeParse(metadata)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new errors.InvalidClientMetadata(`${issue?.path.join(".") ?? "metadata"} ${issue?.message ?? "is not valid"}`)
  }
  const error = redirectUrisError(parsed.data.redirect_uris)
  if (error !== undefined) throw new errors.InvalidClientMetadata(error)
}
