/** An email with a part of text and a part of HTML. RFC 5322, RFC 2046 */
export interface ParsedMail {
  /** Of the envelope. */
  readonly recipients: readonly string[]
  /** Header lines, unfolded. */
  readonly headers: readonly string[]
  readonly text: string
  readonly html: string
}

export function parseMail(raw: string, recipients: readonly string[]): ParsedMail {
  const [head = "", body = ""] = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ""
  const parts = body.split(`--${boundary}`).map((part) => split(part.trimStart()))
  const partOf = (type: string): string => {
    const [partHead = "", content = ""] = parts.find(([headers = ""]) => headers.includes(type)) ?? []
    return decode(content, /Content-Transfer-Encoding: (\S+)/i.exec(partHead)?.[1])
  }
  return {
    recipients,
    headers: head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n"),
    text: partOf("text/plain"),
    html: partOf("text/html"),
  }
}

const split = (text: string): [string, string] => {
  const at = text.indexOf("\r\n\r\n")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)]
}

function decode(content: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(content, "base64").toString()
  if (encoding !== "quoted-printable") return content
  const bytes = content
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}

/** The address of the first link in an email's text. */
export const linkIn = ({ text }: ParsedMail): URL => new URL(/https?:\/\/\S+#\S+/.exec(text)?.[0] ?? "no link")
