import {
  AddressCheckSchema,
  AddressRequestSchema,
  CreateOwnerRequestSchema,
  ServiceResponseSchema,
  SetupResponseSchema,
  SignedInResponseSchema,
  VendorAppCheckSchema,
  VendorAppRequestSchema,
} from "@restwell/client"
import { z } from "zod"
import { pathsOf, SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

const OWNER_ONLY = ["notSignedIn", "notOwner", "unavailable"] as const
const VENDOR = { path: z.object({ provider: z.string().meta({ example: "whoop" }) }) }

/** The set-up of an installation, and what its owner sees and sets. */
export const servicePagePaths = pathsOf({
  "GET /api/setup": {
    id: "readSetup",
    summary: "Whether the set-up is open",
    description: "Only while no account exists.",
    tag: "Service",
    isPublic: true,
    responses: { "200": success("It waits for its owner", SetupResponseSchema) },
    failures: ["setupDone", "unavailable"],
  },
  "POST /api/setup/owner": {
    id: "createOwner",
    summary: "Create the owner's account",
    description:
      "Only while no account exists. Of simultaneous requests, one creates the owner. Unless BASE_URL is set, the address that the browser came by becomes the address of the service.",
    tag: "Service",
    isPublic: true,
    body: jsonBody(CreateOwnerRequestSchema),
    responses: {
      "201": { ...success("Created and signed in", SignedInResponseSchema), headers: z.object(SET_COOKIE) },
    },
    failures: ["invalidRequest", "notOwner", "conflict", "tooManyAttempts", "unavailable"],
  },
  "GET /api/service/instance": {
    id: "readInstance",
    summary: "Prove which installation answers",
    description: "The service asks its own public address, to check that the address leads to it.",
    tag: "Service",
    isPublic: true,
    requestParams: { query: z.object({ challenge: z.string().meta({ example: "0198f5d2-7a7c-7c3e-9a57" }) }) },
    responses: { "200": success("The proof", z.object({ proof: z.string() })) },
    failures: ["invalidRequest"],
  },
  "GET /api/service": {
    id: "readService",
    summary: "Read the state of the installation",
    description: "For the owner: settings without their values, versions, storage, backups and failures.",
    tag: "Service",
    responses: { "200": success("The state", ServiceResponseSchema) },
    failures: [...OWNER_ONLY],
  },
  "POST /api/service/address/check": {
    id: "checkAddress",
    summary: "Check a public address",
    description: "For the owner. The service asks the address for a proof that it leads to this installation.",
    tag: "Service",
    body: jsonBody(AddressRequestSchema),
    responses: { "200": success("The result", AddressCheckSchema) },
    failures: ["invalidRequest", ...OWNER_ONLY],
  },
  "PUT /api/service/address": {
    id: "setAddress",
    summary: "Set the public address",
    description:
      "For the owner, unless BASE_URL is set. It holds at once. People sign in again there, and renew passkeys and assistants.",
    tag: "Service",
    body: jsonBody(AddressRequestSchema),
    responses: { "200": success("Changed", AddressRequestSchema) },
    failures: ["invalidRequest", "conflict", ...OWNER_ONLY],
  },
  "PUT /api/service/vendors/{provider}": {
    id: "setVendorApp",
    summary: "Set the app at a vendor",
    description: "For the owner, unless the environment sets it. Tested at the vendor, sealed, and used at once.",
    tag: "Service",
    requestParams: VENDOR,
    body: jsonBody(VendorAppRequestSchema),
    responses: { "200": success("Stored", VendorAppCheckSchema) },
    failures: ["invalidRequest", "noVendor", "conflict", ...OWNER_ONLY],
  },
  "DELETE /api/service/vendors/{provider}": {
    id: "removeVendorApp",
    summary: "Remove the app at a vendor",
    description: "For the owner. Connections stay, and are not synced without an app.",
    tag: "Service",
    requestParams: VENDOR,
    responses: { "204": { description: "Removed" } },
    failures: ["noVendor", "conflict", ...OWNER_ONLY, "payloadTooLarge", "unsupportedMediaType"],
  },
})
