import { InvalidRequest } from "@restwell/core"
import { withoutControls } from "@restwell/providers"
import { z } from "zod"
import { PASSWORD, passwordLength } from "./password-rule.ts"

const BODY_BYTES = 16_384

const text = (max: number) =>
  z.string({ error: "must be text" }).max(max, { error: `must be at most ${max} characters` })

/** An email address, in lower case as it is stored. */
export const emailAddress = text(254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email({ error: "must be an email address, like ada@example.com" }))

const name = text(100)
  .transform((value) => withoutControls(value).trim())
  .pipe(z.string().min(1, { error: "must not be empty" }))

/** A new one passes `requireGoodPassword` too, which knows whose it is. */
const password = z
  .string({ error: "must be text" })
  .refine((value) => passwordLength(value) <= PASSWORD.max, { error: `must be at most ${PASSWORD.max} characters` })
  .pipe(text(BODY_BYTES))

/** Of a link that works once. */
const linkToken = text(200)

/** Base64url, as WebAuthn's JSON forms write bytes. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, { error: "must be base64url" })

const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).exactOptional(),
  clientExtensionResults: z.looseObject({}).default({}),
}

/** The answer of a device that has a passkey. */
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    // A discoverable credential always names its owner.
    userHandle: bytes(128),
  }),
})

/** What confirms that the person asks for a change, and not somebody who has a cookie. */
const confirmation = { password: password.exactOptional(), passkey: assertion.exactOptional() }

const email = emailAddress

/** Bodies of requests, by operation. Unknown fields are dropped. */
export const BODIES = {
  signUp: z.object({
    name,
    email,
    password,
    invitation: linkToken.exactOptional(),
  }),
  email: z.object({ email }),
  link: z.object({ token: linkToken }),
  resetPassword: z.object({ token: linkToken, newPassword: password }),
  signIn: z.object({ email, password }),
  changePassword: z.object({
    currentPassword: password,
    newPassword: password,
    revokeOtherSessions: z.boolean().default(true),
    deletePasskeys: z.boolean().default(false),
  }),
  setPassword: z.object({ newPassword: password, passkey: assertion.exactOptional() }),
  confirmation: z.object(confirmation),
  password: z.object({ password }),
  code: z.object({ code: text(64) }),
  passwordAndCode: z.object({ password, code: text(64) }),
  addPasskey: z.object({
    name,
    response: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: bytes(4096),
        attestationObject: bytes(12_288),
        transports: z.array(z.string().max(20)).max(10).optional(),
      }),
    }),
  }),
  passkeySignIn: z.object({ response: assertion }),
} as const

/** Parses the body of a request. @throws {InvalidRequest} that names the field */
export async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema>> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new InvalidRequest("send the body as JSON, with Content-Type: application/json", "body")
  return parseBody(await readJson(request), schema)
}

/** Parses a body that was read. @throws {InvalidRequest} that names the field */
export function parseBody<Schema extends z.ZodType>(body: unknown, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".") || "body"
  throw new InvalidRequest(
    `${field} ${field === "body" ? "must be a JSON object" : (issue?.message ?? "is not valid")}`,
    field,
  )
}

async function readJson(request: Request): Promise<unknown> {
  const body = await request.text()
  if (Buffer.byteLength(body) > BODY_BYTES)
    throw new InvalidRequest(`the body is larger than ${BODY_BYTES} bytes`, "body")
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new InvalidRequest("the body is not valid JSON", "body", { cause })
  }
}
