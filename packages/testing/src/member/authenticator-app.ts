import { createHmac } from "node:crypto"

const PERIOD_MS = 30_000
const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** A person's authenticator app, written from RFC 6238 and RFC 4226 5.3. */
export class AuthenticatorApp {
  readonly #secret: Buffer

  readonly #now: () => number

  /** @param uri the content of the QR code @param now the machine's clock, milliseconds */
  constructor(uri: string, now: () => number) {
    this.#now = now
    const { protocol, host, searchParams } = new URL(uri)
    if (`${protocol}//${host}` !== "otpauth://totp") throw new Error(`not a TOTP secret: ${uri}`)
    const bits = [...(searchParams.get("secret") ?? "")]
      .map((digit) => BASE_32.indexOf(digit).toString(2).padStart(5, "0"))
      .join("")
    this.#secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /** The code now, or that many periods later. The service accepts the next one already. */
  code(periodsLater = 0): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(this.#now() / PERIOD_MS) + periodsLater))
    const digest = createHmac("sha1", this.#secret).update(counter).digest()
    const offset = (digest.at(-1) ?? 0) & 15
    return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0")
  }
}
