/** Content codings of what is sent to many requests: the bytes are compressed once for each coding. RFC 9110 8.4 */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Negotiator } from "@fastify/accept-negotiator"
import type { FastifyRequest } from "fastify"

/** In the order of preference. */
const ENCODINGS = ["br", "gzip"] as const
export type Encoding = (typeof ENCODINGS)[number]

const negotiator = new Negotiator({ supportedValues: [...ENCODINGS, "identity"] })
const LONGEST_HEADER = 256

/** The coding of a response to this request. Undefined for none. RFC 9110 12.5.3 */
export function encodingOf({ headers }: Pick<FastifyRequest, "headers">): Encoding | undefined {
  const header = headers["accept-encoding"] ?? ""
  const value = header.length > LONGEST_HEADER ? null : negotiator.negotiate(header.toLowerCase())
  return ENCODINGS.find((each) => each === value)
}

/** Fast enough for one response, and nearly as small as the slowest. */
const BROTLI_QUALITY = 5

const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: promisify<Buffer, Buffer>(gzip),
}

const compressed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/** The bytes in a coding. They are compressed at the first call, and kept as long as the bytes themselves. */
export function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  compressed.set(bytes, known)
  const encoded = known.get(encoding) ?? COMPRESS[encoding](bytes).then(ownMemory)
  known.set(encoding, encoded)
  return encoded
}

/** A short result would keep the whole block that zlib wrote it to. */
function ownMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** The entity tag of bytes in a coding: each coding has other bytes, so it has a tag of its own. RFC 9110 8.8.3.3 */
export const encodedTag = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`

/** The tag without its coding. */
export const plainTag = (etag: string): string => etag.replace(/-(?:br|gzip)"$/, '"')

/** The tags of If-None-Match, compared weakly. RFC 9110 13.1.2. */
export const entityTagsOf = (header: string | undefined): string[] =>
  header === undefined ? [] : header.trim() === "*" ? ["*"] : [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag)
