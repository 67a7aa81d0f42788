import {
  InvitationResponseSchema,
  PasswordSignInResponseSchema,
  ResetLinkResponseSchema,
  SuccessResponseSchema,
} from "@restwell/client"
import { BODIES } from "../../accounts/request-bodies.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { answering, type SignInServices } from "./answering.ts"

/** Links that work once: a new password, and invitations. */
export const linkEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "POST",
    path: "/api/auth/forgot-password",
    access: "anybody",
    id: "requestPasswordReset",
    summary: "Ask for a new password by email",
    description:
      "Gives the same response whether the address has an account or not. The link works once, within an hour.",
    requestBody: jsonBody(BODIES.email),
    responses: { "202": success("If the address has an account, the email is on its way", SuccessResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.requestReset(request), 202),
  },
  {
    method: "POST",
    path: "/api/auth/reset-link",
    access: "anybody",
    id: "readResetLink",
    summary: "Read whose password a link sets",
    description: "The link stays unused.",
    requestBody: jsonBody(BODIES.link),
    responses: { "200": success("The account", ResetLinkResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.readResetLink(request)),
  },
  {
    method: "POST",
    path: "/api/auth/reset-password",
    access: "anybody",
    id: "resetPassword",
    summary: "Set a new password with a link",
    description:
      "Uses the link up, ends all sessions of the account and signs in. If the person has turned codes on, the response asks for one.",
    requestBody: jsonBody(BODIES.resetPassword),
    responses: { "200": success("Signed in, or a code must follow", PasswordSignInResponseSchema, SET_COOKIE) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.resetPassword(request)),
  },
  {
    method: "POST",
    path: "/api/auth/invitation",
    access: "anybody",
    id: "readInvitation",
    summary: "Read an invitation",
    description: "The invitation stays open. A cookie remembers it for a sign-up with Google or Apple.",
    requestBody: jsonBody(BODIES.link),
    responses: { "200": success("What it offers", InvitationResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.readInvitation(request)),
  },
])
