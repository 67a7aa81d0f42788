import { connect } from "node:net"

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const PATIENCE_MS = 20_000

/** Sends text as it is, for what no HTTP client would send, and resolves with the answer once the server has closed. */
export const sendRaw = (url: string, text: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    let answer = ""
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no end after ${JSON.stringify(answer)}`)))
    socket.on("data", (data) => {
      answer += data
    })
    socket.on("error", reject).on("close", () => resolve(readAnswer(answer)))
    socket.write(text)
  })

/** A request of lines, that asks for the connection to be closed after it. */
export const requestOf = (...lines: string[]): string => [...lines, "Connection: close", "", ""].join("\r\n")

function readAnswer(text: string): RawAnswer {
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = new Map(lines.map((line) => [line.split(": ")[0]?.toLowerCase() ?? "", line.split(": ")[1] ?? ""]))
  return { status: Number(statusLine.split(" ")[1]), headers, body }
}
