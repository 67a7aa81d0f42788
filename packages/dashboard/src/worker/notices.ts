/* What the service sends to this browser: shown as a notification of the system, with the page open or not. */

interface Notice {
  readonly title: string
  readonly body: string
  /** The page that a click opens. */
  readonly path: string
  readonly tag: string
}

/** A browser that got a message has to show one, whatever the message is. @see https://www.w3.org/TR/push-api/ userVisibleOnly */
const UNKNOWN: Notice = { title: "Restwell", body: "There is something new.", path: "/", tag: "restwell" }

/** What a message says. @param text JSON of the service */
export function noticeOf(text: string): Notice {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return UNKNOWN
  }
  if (typeof sent !== "object" || sent === null) return UNKNOWN
  const texts = new Map(Object.entries(sent).filter((field): field is [string, string] => typeof field[1] === "string"))
  const path = texts.get("path") ?? ""
  return {
    title: texts.get("title") ?? UNKNOWN.title,
    body: texts.get("body") ?? UNKNOWN.body,
    path: isPath(path) ? path : UNKNOWN.path,
    tag: texts.get("tag") ?? UNKNOWN.tag,
  }
}

/** A path of this site: `//other.example` and `/\other.example` are other sites. */
const isPath = (path: string): boolean => /^\/(?![/\\])/.test(path)
