import { createHmac, timingSafeEqual } from "node:crypto"
import { Forbidden } from "@restwell/core"

/** What a form is bound to: the authorization request that waits, and the session that decides it. */
export interface FormBinding {
  readonly formKey: Buffer
  readonly authorizationId: string
  readonly sessionId: string | undefined
}

/** The hidden field of a form. It fits only the same authorization request in the same session. */
export const formTokenFor = ({ formKey, authorizationId, sessionId = "" }: FormBinding): string =>
  createHmac("sha256", formKey).update(`${authorizationId}/${sessionId}`).digest("base64url")

/** @throws {Forbidden} if the form was made for another request or session */
export function requireFormToken(form: URLSearchParams, binding: FormBinding): void {
  const sent = Buffer.from(form.get("token") ?? "")
  const expected = Buffer.from(formTokenFor(binding))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new Forbidden("this form belongs to another visit, go back to your assistant and connect again")
}
