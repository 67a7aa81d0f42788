/** The address, sign-ups and backups, as the owner sets them on the page Service. */

import { access, constants } from "node:fs/promises"
import { resolve } from "node:path"
import {
  type AddressCheck,
  AddressCheckSchema,
  AddressRequestSchema,
  BackupRequestSchema,
  PrivateHostsRequestSchema,
  PrivateHostsResponseSchema,
  SignUpRequestSchema,
  SyncResponseSchema,
} from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import {
  backupFolderFault,
  Conflict,
  type Context,
  fileTrouble,
  InvalidRequest,
  makeFolders,
  recordSecurityEvent,
  requestBackup,
  type Secrets,
  type SecurityEvent,
  writeServiceSettings,
} from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { BODIES } from "../../accounts/request-bodies.ts"
import type { Session } from "../../accounts/session.ts"
import { type Config, embeddedDir, type OperationSetting } from "../../config/config.ts"
import { origin, privateHosts } from "../../config/environment.ts"
import { folder } from "../../config/folder.ts"
import type { LiveSettings } from "../../config/live-settings.ts"
import { checkAddress, networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import type { WatchedDisk } from "../../postgres/disk-watch.ts"
import { defineEndpoints, headersOf, type SessionCall } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"

/** What the handlers of the page Service call. */
export interface OperationServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly live: LiveSettings
  readonly secrets: () => Secrets
  readonly disk: WatchedDisk
  readonly config: Pick<Config, "dataDir" | "databaseUrl" | "role" | "vendors" | "vendorEnvironment">
}

/** @throws {InvalidRequest} for a folder that cannot be made or written, or that backups must not be in */
async function requireFolder(path: string, dataDir: string | undefined): Promise<void> {
  const fault = await backupFolderFault(path, dataDir)
  if (fault !== undefined)
    throw new InvalidRequest(`the folder ${path} cannot be used: ${fault}: choose another folder`, "folder")
  try {
    await makeFolders(path, 0o700)
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const trouble = fileTrouble(error)
    if (trouble === undefined) throw error
    throw new InvalidRequest(`the folder ${path} cannot be used: ${trouble}`, "folder", { cause: error })
  }
}

/** @throws {Conflict} if environment variables set one of these */
export function refuseEnvironment({ live }: OperationServices, names: readonly OperationSetting[]): void {
  const { operationSources } = live.current()
  const fixed = names.find((name) => operationSources.get(name) === "environment")
  if (fixed !== undefined)
    throw new Conflict(`the environment variable ${fixed} sets this, and takes precedence over the page`)
}

/** What confirms a change, under a name of its own: a mail server has a password too. */
export const CONFIRM = {
  confirm: BODIES.confirmation.optional().meta({ description: "Needed where the sign-in is older than an hour" }),
}
const SetAddressSchema = AddressRequestSchema.extend(CONFIRM).meta({ id: "SetAddressRequest" })
const SetPrivateHostsSchema = PrivateHostsRequestSchema.extend(CONFIRM).meta({ id: "SetPrivateHostsRequest" })

export const CONFIRMED_BY = "Where the sign-in is older than an hour, the owner's password or a passkey confirms it."

/**
 * Makes sure that the owner changes where links, figures and messages go, and not somebody who has stolen the session: by a sign-in within
 * the last hour, or as a change of how to sign in is confirmed. @throws {Forbidden} that says what to send @throws {TooManyAttempts}
 */
export async function confirmChange(
  { context, accounts }: OperationServices,
  { session, request }: Pick<SessionCall, "session" | "request">,
  body: z.infer<typeof BODIES.confirmation> = {},
): Promise<void> {
  if (context.clock.now().getTime() - session.signedInAt.getTime() < HOUR_MS) return
  await accounts.confirmIdentity({ session, headers: headersOf(request), address: request.ip, body })
}

interface Change {
  readonly session: Session
  readonly request: FastifyRequest
  /** For the security log. */
  readonly subject: string
  /** @default "service_setting_changed" */
  readonly type?: SecurityEvent["type"]
}

/** Seals settings in the database, logs the change, and uses them at once. */
export async function storeSettings(
  { context, live }: OperationServices,
  { session: { userId }, request, subject, type = "service_setting_changed" }: Change,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  await writeServiceSettings(context, values)
  const network = networkOf(request.ip)
  await recordSecurityEvent(context, userId, { type, detail: subject, network })
  await live.refresh()
}

/** @throws {InvalidRequest} */
function readAddress(address: string): string {
  const parsed = origin.safeParse(address.trim())
  if (parsed.success) return parsed.data
  throw new InvalidRequest(`the address ${parsed.error.issues[0]?.message ?? "is not valid"}`, "address")
}

/** @throws {InvalidRequest} */
function readFolder(text: string): string {
  const parsed = folder.safeParse(text)
  if (parsed.success) return resolve(parsed.data)
  throw new InvalidRequest(`the folder ${parsed.error.issues[0]?.message ?? "is not valid"}`, "folder")
}

/** The address, sign-ups and backups, for the owner. */
export const settingEndpoints = defineEndpoints<OperationServices>("Service", [
  {
    method: "POST",
    path: "/api/service/address/check",
    access: "owner",
    id: "checkAddress",
    summary: "Check a public address",
    description: "For the owner. The service asks the address for a proof that it leads to this installation.",
    requestBody: jsonBody(AddressRequestSchema),
    responses: { "200": success("The result", AddressCheckSchema) },
    handle: async ({ secrets }, { request }): Promise<AddressCheck> =>
      checkAddress(readAddress(parseBody(request, AddressRequestSchema).address), secrets()[0]),
  },
  {
    method: "PUT",
    path: "/api/service/address",
    access: "owner",
    id: "setAddress",
    summary: "Set the public address",
    description:
      "For the owner, unless BASE_URL is set. It holds at once. People sign in again there, and renew passkeys and assistants. " +
      CONFIRMED_BY,
    requestBody: jsonBody(SetAddressSchema),
    responses: { "200": success("Changed", AddressRequestSchema) },
    failures: ["conflict", "tooManyAttempts"],
    handle: async (services, { session, reply, request }) => {
      if (services.live.current().addressSource === "environment")
        throw new Conflict("BASE_URL in the environment sets the address, and takes precedence")
      const wanted = parseBody(request, SetAddressSchema)
      const address = readAddress(wanted.address)
      await confirmChange(services, { session, request }, wanted.confirm)
      const change = { session, request, subject: address, type: "public_address_changed" } as const
      await storeSettings(services, change, { BASE_URL: address })
      return reply.send({ address })
    },
  },
  {
    method: "PUT",
    path: "/api/service/sign-up",
    access: "owner",
    id: "setSignUp",
    summary: "Open or close sign-ups",
    description: "For the owner, unless SIGN_UP is set. Invitations work in both cases.",
    requestBody: jsonBody(SignUpRequestSchema),
    responses: { "200": success("Changed", SignUpRequestSchema) },
    failures: ["conflict"],
    handle: async (services, { session, reply, request }) => {
      refuseEnvironment(services, ["SIGN_UP"])
      const { sign_up } = parseBody(request, SignUpRequestSchema)
      await storeSettings(services, { session, request, subject: `sign-ups ${sign_up}` }, { SIGN_UP: sign_up })
      return reply.send({ sign_up })
    },
  },
  {
    method: "PUT",
    path: "/api/service/private-hosts",
    access: "owner",
    id: "setPrivateHosts",
    summary: "Allow hosts of the home network",
    description:
      "For the owner, unless ALLOWED_PRIVATE_HOSTS is set. Messages of people, as webhooks and ntfy, are sent to public addresses, and to " +
      `these hosts: over plain http too. The list replaces the one before. A further host: ${CONFIRMED_BY}`,
    requestBody: jsonBody(SetPrivateHostsSchema),
    responses: { "200": success("Changed", PrivateHostsResponseSchema) },
    failures: ["conflict", "tooManyAttempts"],
    handle: async (services, { session, reply, request }) => {
      refuseEnvironment(services, ["ALLOWED_PRIVATE_HOSTS"])
      const { hosts: wanted, confirm } = parseBody(request, SetPrivateHostsSchema)
      const parsed = privateHosts.safeParse(typeof wanted === "string" ? wanted : wanted.join(","))
      if (!parsed.success)
        throw new InvalidRequest(`hosts ${parsed.error.issues[0]?.message ?? "are not valid"}`, "hosts")
      const hosts = parsed.data
      const { privateHosts: allowed } = services.live.current()
      if (hosts.some((host) => !allowed.includes(host))) await confirmChange(services, { session, request }, confirm)
      const text = hosts.join(",")
      const subject = hosts.length === 0 ? "no private hosts" : `private hosts ${text}`
      const change = { session, request, subject }
      await storeSettings(services, change, { ALLOWED_PRIVATE_HOSTS: text === "" ? null : text })
      return reply.send({ hosts })
    },
  },
  {
    method: "PUT",
    path: "/api/service/backup",
    access: "owner",
    id: "setBackup",
    summary: "Set the folder and the interval of backups",
    description: "For the owner, unless BACKUP_DIR is set. The folder is made if it is not there.",
    requestBody: jsonBody(BackupRequestSchema),
    responses: { "200": success("Changed", BackupRequestSchema) },
    failures: ["conflict"],
    handle: async (services, { session, reply, request }) => {
      refuseEnvironment(services, ["BACKUP_DIR"])
      const wanted = parseBody(request, BackupRequestSchema)
      const path = readFolder(wanted.folder)
      // The machine of a worker has the folder, and this process may run on another one.
      if (services.config.role !== "api") await requireFolder(path, embeddedDir(services.config))
      // The first one is due at once. As a request it is displayed from now on.
      if (services.live.current().backup === undefined) await requestBackup(services.context)
      await storeSettings(
        services,
        { session, request, subject: "backups" },
        {
          BACKUP_DIR: path,
          BACKUP_KEEP: String(wanted.keep),
          BACKUP_EVERY_HOURS: String(wanted.every_hours),
          BACKUP_WITH_SECRET: wanted.has_secret ? "yes" : "no",
        },
      )
      return reply.send({ ...wanted, folder: path })
    },
  },
  {
    method: "DELETE",
    path: "/api/service/backup",
    access: "owner",
    id: "removeBackup",
    summary: "Make no further backups",
    description: "For the owner. Backups that were made stay.",
    responses: { "204": { description: "Removed" } },
    failures: ["conflict"],
    handle: async (services, { session, reply, request }) => {
      refuseEnvironment(services, ["BACKUP_DIR"])
      await storeSettings(
        services,
        { session, request, subject: "backups off" },
        { BACKUP_DIR: null, BACKUP_KEEP: null, BACKUP_EVERY_HOURS: null, BACKUP_WITH_SECRET: null },
      )
      return reply.code(204).send()
    },
  },
  {
    method: "POST",
    path: "/api/service/backup/run",
    access: "owner",
    id: "runBackup",
    summary: "Make a backup now",
    description: "For the owner. A worker begins it within seconds.",
    responses: { "202": success("Requested", SyncResponseSchema) },
    failures: ["conflict"],
    handle: async ({ context, live }, { reply }) => {
      if (live.current().backup === undefined)
        throw new Conflict("no folder for backups is set: choose one first, or set BACKUP_DIR")
      await requestBackup(context)
      return reply.code(202).send({ status: "requested" })
    },
  },
])
