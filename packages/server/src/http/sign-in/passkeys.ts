import { PasskeySchema, PasskeysResponseSchema, SignedInResponseSchema, WebAuthnOptionsSchema } from "@restwell/client"
import { z } from "zod"
import { BODIES } from "../../accounts/request-bodies.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints, headersOf } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import { answering, type SignInServices } from "./providers.ts"

const CHALLENGE_COOKIE = { "Set-Cookie": z.string().meta({ description: "Binds the challenge to this browser" }) }

/** Signing in with passkeys, and changing them. */
export const passkeyEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "POST",
    path: "/api/auth/sign-in/passkey/options",
    access: "anybody",
    id: "createPasskeySignInOptions",
    summary: "Start signing in with a passkey",
    description: "Options with a challenge that is valid once and for a few minutes. They name no account.",
    responses: { "200": success("For navigator.credentials.get", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
    failures: ["tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.passkeys.signInOptions(request)),
  },
  {
    method: "POST",
    path: "/api/auth/sign-in/passkey",
    access: "anybody",
    // Ids of a device have up to 1,023 bytes, and the answer has them twice.
    mostBodyBytes: 8_192,
    id: "signInWithPasskey",
    summary: "Sign in with a passkey",
    description: "The device must verify its user. Unknown, replayed and late signatures give the same response.",
    requestBody: jsonBody(BODIES.passkeySignIn),
    responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "unavailable"],
    handle: answering((accounts, request) => accounts.passkeys.signIn(request)),
  },
  {
    method: "POST",
    path: "/api/auth/passkeys/options",
    access: "accounts",
    id: "createPasskeyOptions",
    summary: "Start adding a passkey",
    description:
      "Options to create a passkey. The password or an existing passkey confirms it. Without either, the sign-in must not be older than an hour. An account has at most 20 passkeys.",
    requestBody: jsonBody(BODIES.confirmation),
    responses: { "200": success("For navigator.credentials.create", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
    failures: ["notSignedIn", "conflict", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.passkeys.registrationOptions(request)),
  },
  {
    method: "POST",
    path: "/api/auth/passkeys",
    access: "accounts",
    id: "addPasskey",
    summary: "Add a passkey",
    description: "Stores the passkey that the browser created.",
    requestBody: jsonBody(BODIES.addPasskey),
    responses: { "201": success("Added", PasskeySchema) },
    failures: ["notSignedIn", "conflict"],
    handle: answering((accounts, request) => accounts.passkeys.add(request), 201),
  },
  {
    method: "GET",
    path: "/api/auth/passkeys",
    access: "session",
    id: "listPasskeys",
    summary: "List the passkeys",
    description: "Oldest first.",
    responses: { "200": success("The passkeys", PasskeysResponseSchema) },
    handle: async ({ accounts }, { session }) => ({ passkeys: await accounts.passkeys.list(session) }),
  },
  {
    method: "DELETE",
    path: "/api/auth/passkeys/:id",
    access: "session",
    id: "deletePasskey",
    summary: "Delete a passkey",
    description: "The password or a passkey confirms it. Refused for the only way to sign in.",
    requestBody: jsonBody(BODIES.confirmation),
    params: z.object({ id: z.string().meta({ example: "Zr5NfYh7Jd4G" }) }),
    responses: { "204": { description: "Deleted" } },
    failures: ["noProvider", "conflict", "tooManyAttempts"],
    handle: async ({ accounts }, { session, reply, request }) => {
      const body = parseBody(request, BODIES.confirmation)
      const confirmation = { session, headers: headersOf(request), address: request.ip, body }
      await accounts.passkeys.remove(pathParameter(request, "id"), confirmation)
      return reply.code(204).send()
    },
  },
])
