/** The mail server, as the owner sets it on the page Service. */

import { MailRequestSchema, type MailTest, MailTestSchema } from "@restwell/client"
import { Conflict, InvalidRequest } from "@restwell/core"
import type { z } from "zod"
import { type MailConfig, readOperationSettings } from "../../config/config.ts"
import { composeTestMail } from "../../mail/compose-mail.ts"
import { mailFaultField, mailFaultText, sendTestMail } from "../../mail/test-mail.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { countTest } from "../plumbing/count-test.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import {
  CONFIRM,
  CONFIRMED_BY,
  confirmChange,
  type OperationServices,
  refuseEnvironment,
  storeSettings,
} from "./settings.ts"

type MailRequest = z.infer<typeof MailRequestSchema>
const SetMailSchema = MailRequestSchema.extend(CONFIRM).meta({ id: "SetMailRequest" })

/** The port that speaks TLS from the first byte. RFC 8314 section 3.3. */
const TLS_PORT = 465

function smtpUrl({ host, port, user = "", password = "" }: MailRequest): string {
  const credentials = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `${port === TLS_PORT ? "smtps" : "smtp"}://${credentials}${host}:${port}`
}

/** @throws {InvalidRequest} */
function mailOf(values: { readonly SMTP_URL: string; readonly MAIL_FROM: string }): MailConfig {
  const read = readOperationSettings(values)
  if (!("wrong" in read) && read.mail !== undefined) return read.mail
  const isSender = "wrong" in read && read.wrong === "MAIL_FROM"
  throw isSender
    ? new InvalidRequest(`the sender ${read.message}`, "from")
    : new InvalidRequest("the mail server must be a name or an address, like mail.example.com", "host")
}

/** The mail server, for the owner. */
export const mailEndpoints = defineEndpoints<OperationServices>("Service", [
  {
    method: "PUT",
    path: "/api/service/mail",
    access: "owner",
    id: "setMail",
    summary: "Set the mail server",
    description:
      "For the owner, unless SMTP_URL is set. Sends a test message to the owner's address, and stores the settings sealed if the mail " +
      `server takes it. ${CONFIRMED_BY}`,
    requestBody: jsonBody(SetMailSchema),
    responses: { "200": success("Stored", MailTestSchema) },
    failures: ["conflict", "tooManyTests"],
    // Seals the settings only if the mail server takes the test message.
    handle: async (services, { session, request }): Promise<MailTest> => {
      refuseEnvironment(services, ["SMTP_URL", "MAIL_FROM"])
      const { confirm, ...wanted } = parseBody(request, SetMailSchema)
      const values = { SMTP_URL: smtpUrl(wanted), MAIL_FROM: wanted.from }
      const mail = mailOf(values)
      await confirmChange(services, { session, request }, confirm)
      const { id, email } = session.user
      await countTest(services.context, id, "email")
      const failure = await sendTestMail(mail, email, composeTestMail(services.baseUrl))
      if (failure) throw new InvalidRequest(mailFaultText(failure), mailFaultField(failure), { cause: failure })
      await storeSettings(services, { session, request, subject: "email" }, values)
      return { sent_to: email, problem: null }
    },
  },
  {
    method: "DELETE",
    path: "/api/service/mail",
    access: "owner",
    id: "removeMail",
    summary: "Remove the mail server",
    description: "For the owner. Links are copied by hand again.",
    responses: { "204": { description: "Removed" } },
    failures: ["conflict"],
    handle: async (services, { session, reply, request }) => {
      refuseEnvironment(services, ["SMTP_URL", "MAIL_FROM"])
      await storeSettings(services, { session, request, subject: "email off" }, { SMTP_URL: null, MAIL_FROM: null })
      return reply.code(204).send()
    },
  },
  {
    method: "POST",
    path: "/api/service/mail/test",
    access: "owner",
    id: "testMail",
    summary: "Send a test message",
    description: "For the owner, to the owner's address, with the settings in use.",
    responses: { "200": success("The outcome", MailTestSchema) },
    failures: ["conflict", "tooManyTests"],
    handle: async (services, { session }): Promise<MailTest> => {
      const { context, live, baseUrl } = services
      const { id, email } = session.user
      const { mail } = live.current()
      if (mail === undefined) throw new Conflict("no email is set up: enter the mail server first")
      await countTest(context, id, "email")
      const failure = await sendTestMail(mail, email, composeTestMail(baseUrl))
      return { sent_to: email, problem: failure ? mailFaultText(failure) : null }
    },
  },
])
