/** A push service for tests: it takes messages as a browser maker's does, and reads them as a browser does. RFC 8030, RFC 8188, RFC 8291, RFC 8292 */
import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { importJWK, jwtVerify } from "jose"
import { z } from "zod"

/** What a browser's `PushSubscription.toJSON()` returns. */
export interface Subscribed {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A message that arrived, as the browser reads it. */
export interface Received {
  readonly endpoint: string
  readonly text: string
  readonly ttl: number
  readonly topic: string | undefined
  readonly urgency: string | undefined
  /** The public key that the sender signs with, and whom to write to. */
  readonly sender: { readonly key: string; readonly contact: string }
}

interface BrowserKeys {
  readonly own: ReturnType<typeof createECDH>
  readonly secret: Buffer
}

export class PushService implements AsyncDisposable {
  /** In the order of arrival. */
  readonly received: Received[] = []
  /** The status of each answer. 201 takes the message. */
  status = 201
  readonly #browsers = new Map<string, BrowserKeys>()
  readonly #server = createServer(async (request, response) => {
    try {
      if (this.status === 201) this.received.push(await this.#read(request))
      response.writeHead(this.status).end()
    } catch (error) {
      response.writeHead(400).end(String(error))
    }
  })

  static async start(): Promise<PushService> {
    const service = new PushService()
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve))
    return service
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === "string") throw new Error("the push service does not listen")
    return `http://127.0.0.1:${address.port}`
  }

  /** A new browser. */
  subscribe(): Subscribed {
    const own = createECDH("prime256v1")
    own.generateKeys()
    const secret = randomBytes(16)
    const endpoint = `${this.url}/send/${randomUUID()}`
    this.#browsers.set(endpoint, { own, secret })
    return { endpoint, keys: { p256dh: own.getPublicKey("base64url"), auth: secret.toString("base64url") } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #read(request: IncomingMessage): Promise<Received> {
    const endpoint = `${this.url}${request.url ?? ""}`
    const browser = this.#browsers.get(endpoint)
    if (!browser) throw new Error(`no browser at ${endpoint}`)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk))
    const { headers } = request
    if (headers["content-encoding"] !== "aes128gcm") throw new Error("not encrypted by RFC 8188")
    return {
      endpoint,
      text: decrypt(browser, Buffer.concat(chunks)),
      ttl: z.coerce.number().parse(headers["ttl"]),
      topic: headers["topic"]?.toString(),
      urgency: headers["urgency"]?.toString(),
      sender: await senderOf(headers.authorization ?? "", this.url),
    }
  }
}

/** RFC 8291 3.4, and RFC 8188 2 for a message of one record. */
function decrypt({ own, secret }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + body.readUInt8(20)
  const sender = body.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync("sha256", own.computeSecret(sender), secret, info, 32))
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync("sha256", shared, salt, Buffer.from(`Content-Encoding: ${what}\0`), length))
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12))
  decipher.setAuthTag(body.subarray(-16))
  const plain = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end < 0) throw new Error("the last record has no delimiter")
  return plain.subarray(0, end).toString("utf8")
}

/** RFC 8292 2 and 3. */
async function senderOf(authorization: string, audience: string): Promise<Received["sender"]> {
  const [, token = "", key = ""] = /^vapid t=([^,\s]+),\s*k=(\S+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, "base64url")
  const [x, y] = [point.toString("base64url", 1, 33), point.toString("base64url", 33)]
  const { payload } = await jwtVerify(token, await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256"), { audience })
  return { key, contact: z.string().parse(payload.sub) }
}
