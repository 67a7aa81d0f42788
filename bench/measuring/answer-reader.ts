const HEAD_END = "\r\n\r\n"
const LAST_CHUNK = "\r\n0\r\n\r\n"
const BEGINNING_LENGTH = 400

/** Reads one HTTP/1.1 response just far enough to find its end. RFC 9112 6.3 */
export interface AnswerReader {
  /** Returns true at the last byte of the response. */
  take(bytes: Buffer): boolean
  readonly status: number
  /** The first bytes, for error messages. */
  readonly beginning: string
}

export function createAnswerReader(): AnswerReader {
  let hasHead = false
  let beginning = ""
  let tail = ""
  let status = 0
  /** Remaining bytes of the body. Undefined for a chunked body. */
  let missing: number | undefined
  const takeHead = (bytes: Buffer): Buffer => {
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) throw new Error("the head of a response came in parts")
    const head = bytes.toString("latin1", 0, end)
    beginning = bytes.toString("latin1", 0, BEGINNING_LENGTH)
    status = Number(head.slice(9, 12))
    missing = bodyLength(head, status)
    hasHead = true
    return bytes.subarray(end + HEAD_END.length)
  }
  return {
    take(bytes) {
      const body = hasHead ? bytes : takeHead(bytes)
      if (missing !== undefined) {
        missing -= body.length
        return missing === 0
      }
      tail = (tail + body.toString("latin1", Math.max(0, body.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length)
      return tail === LAST_CHUNK
    },
    get status() {
      return status
    },
    get beginning() {
      return beginning
    },
  }
}

function bodyLength(head: string, status: number): number | undefined {
  if (status === 204 || status === 304) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return undefined
  throw new Error(`a response has no length: ${head}`)
}
