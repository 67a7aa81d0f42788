import { hash } from "node:crypto"
import { type ApiKey, apiKeyOf } from "@restwell/core"

const FIRST_VENDOR_USER_ID = 10_000_000

/** The API key of a person of the population, for a program that makes load. */
export const apiKeyOfMember = (number: number): string => apiKeyOf(base62(`key ${number}`)).text

/** The id of a person of the population: 32 letters and digits in no order, as better-auth gives them. */
export const userIdOfMember = (number: number): string => base62(`user ${number}`)

/** What tells one person of the population from all others. Everything follows from the person's number, when it is first asked for. */
export class PopulationMember {
  readonly #number: number
  /** At the vendor. */
  readonly vendorUserId: string
  #userId: string | undefined
  #recordIdPrefix: string | undefined
  #key: ApiKey | undefined

  constructor(number: number) {
    this.#number = number
    this.vendorUserId = String(FIRST_VENDOR_USER_ID + number)
  }

  get userId(): string {
    this.#userId ??= userIdOfMember(this.#number)
    return this.#userId
  }

  get email(): string {
    return `member-${this.#number}@example.com`
  }

  /** What the ids of this person's cycles end with, after 5 digits that tell which one. */
  get cycleIdSuffix(): string {
    return this.vendorUserId
  }

  /** The first 12 hexadecimal digits of the ids of this person's records. */
  get recordIdPrefix(): string {
    if (this.#recordIdPrefix === undefined) {
      const digits = hash("sha256", `records ${this.#number}`)
      this.#recordIdPrefix = `${digits.slice(0, 8)}-${digits.slice(8, 12)}`
    }
    return this.#recordIdPrefix
  }

  /** The API key's hash, as hexadecimal digits. */
  get keyHash(): string {
    return this.#apiKey.keyHash
  }

  get keyPrefix(): string {
    return this.#apiKey.prefix
  }

  get #apiKey(): ApiKey {
    this.#key ??= apiKeyOf(base62(`key ${this.#number}`))
    return this.#key
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 32 base62 characters, a byte each: nobody guesses at these, so a slight bias is none of our business. */
function base62(seed: string): string {
  let text = ""
  for (const byte of hash("sha256", seed, "buffer")) text += ALPHABET.charAt(byte % ALPHABET.length)
  return text
}
