// Publishes a message to a topic of ntfy (https://docs.ntfy.sh/publish/).
import { UnreadableSecret } from "../base/encryption.ts"
import type { OutgoingMessage, Sender } from "./sender.ts"
import { resultOf, type SendPost } from "./webhook-sender.ts"

interface NtfyOptions {
  /** Links lead to it. */
  readonly baseUrl: () => string
  /** The access token of the person's topic. Undefined without one. @throws {UnreadableSecret} */
  readonly tokenOf: (userId: string) => Promise<string | undefined>
}

/** A header holds ASCII: other titles are encoded words of RFC 2047. */
const headerOf = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`

const textOf = ({ data }: OutgoingMessage, name: string): string => {
  const value = data[name]
  return typeof value === "string" ? value : ""
}

export const createNtfySender =
  (send: SendPost, { baseUrl, tokenOf }: NtfyOptions): Sender =>
  async ({ userId, url }, message, { signal }) => {
    try {
      const token = await tokenOf(userId)
      const headers = {
        "content-type": "text/plain; charset=utf-8",
        title: headerOf(textOf(message, "title")),
        click: `${baseUrl()}${textOf(message, "path")}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      return resultOf(await send({ url, headers, body: textOf(message, "text") }, signal))
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      const answer = "its token cannot be decrypted: enter it again on the page Notifications"
      return { outcome: "failed", status: null, answer }
    }
  }
