import { IngestTokenResponseSchema } from "@restwell/client"
import {
  authorizationRequest,
  Browser,
  connectAssistant,
  formToken,
  openConsent,
  register,
  resourceOf,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import { type Credential, PLACEHOLDERS } from "./valid-requests.ts"

/** A person whose session, token, pending consent and refresh token the attacker has. */
export interface Victim {
  /** Headers that prove to be this person, by kind. */
  readonly credentials: Readonly<Record<Exclude<Credential, "key">, Readonly<Record<string, string>>>>
  /** The session of somebody else, for requests that end it. */
  readonly expendable: Readonly<Record<string, string>>
  /** Replaces the placeholders of a request. */
  fill(text: string): string
}

export async function createVictim(service: TestService): Promise<Victim> {
  const { member } = await Member.connected(service, service.simulator.people.addOne())
  const { access_token } = await connectAssistant(service, member)
  const { clientId, refresh_token } = await connectAssistant(service, member)
  const browser = new Browser(member)
  const { client_id } = await register(service)
  const consent = await openConsent(service, browser, authorizationRequest(service, { client_id }))
  const values: Readonly<Record<string, string>> = {
    [PLACEHOLDERS.authorizationId]: consent.pathname.split("/").at(-1) ?? "",
    [PLACEHOLDERS.clientId]: clientId,
    [PLACEHOLDERS.resource]: encodeURIComponent(resourceOf(service)),
    [PLACEHOLDERS.formToken]: formToken(await (await browser.get(consent)).text()),
    [PLACEHOLDERS.refreshToken]: refresh_token,
  }
  const made = await member.send("POST", "/api/account/ingest-tokens", { name: "phone" })
  const { token } = IngestTokenResponseSchema.parse(await made.json())
  const other = new Member(service)
  await other.signUp()
  return {
    credentials: {
      none: {},
      session: { cookie: browser.cookie },
      phone: { authorization: `Bearer ${token}` },
      token: { authorization: `Bearer ${access_token}`, accept: "application/json, text/event-stream" },
    },
    expendable: { cookie: other.cookie },
    fill: (text) => Object.entries(values).reduce((filled, [mark, value]) => filled.replaceAll(mark, value), text),
  }
}
