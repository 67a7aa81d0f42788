import { createHash } from "node:crypto"
import fastifyStatic from "@fastify/static"
import type { FastifyInstance } from "fastify"
import type { Manual } from "../../docs/built-pages.ts"
import { encode, encodedTag, encodingOf, entityTagsOf, plainTag } from "./encodings.ts"
import type { Call } from "./endpoint.ts"
import { manualPolicyOf } from "./security-headers.ts"

/** A file that is the same for everybody until the next start. */
export interface Asset {
  readonly contentType: string
  readonly bytes: Buffer
  readonly etag: string
  readonly cacheControl: string
}

export function assetOf(contentType: string, text: string, cacheControl = "public, max-age=300"): Asset {
  const bytes = Buffer.from(text)
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  return { contentType, bytes, etag, cacheControl }
}

/** Answers a GET of the file. */
export function sendAsset({ contentType, bytes, etag, cacheControl }: Asset, { request, reply }: Call): unknown {
  const encoding = encodingOf(request)
  const known = entityTagsOf(request.headers["if-none-match"]).find((tag) => tag === "*" || plainTag(tag) === etag)
  const current = encodedTag(etag, encoding)
  reply.headers({ vary: "Accept-Encoding", "cache-control": cacheControl })
  if (known !== undefined)
    return reply
      .header("etag", known === "*" ? current : known)
      .code(304)
      .send()
  reply.headers({ etag: current, "content-type": contentType })
  if (encoding === undefined) return () => reply.send(bytes)
  reply.header("content-encoding", encoding)
  return async () => reply.send(await encode(bytes, encoding))
}

/** Files with a hash in their name never change. Browsers revalidate the others. */
const HASHED = /-[\w-]{8}\.(?:js|css)(?:\.br|\.gz)?$/
/** Browsers ask for the worker at each visit, so that a new version of the page replaces it. */
const WORKER = /\/worker\.js(?:\.br|\.gz)?$/
const IMMUTABLE = "public, max-age=31536000, immutable"
const SHORT = "public, max-age=300"

/** Serves the dashboard's files, compressed if the browser accepts that. */
export async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/assets/",
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header("cache-control", HASHED.test(path) ? IMMUTABLE : WORKER.test(path) ? "no-cache" : SHORT)
      // The worker answers for every page, and not only below its own folder. Service Workers 4.1
      if (WORKER.test(path)) reply.header("service-worker-allowed", "/")
    },
  })
}

/** Scripts and styles with a hash in their name never change. Browsers revalidate the others. */
const HASHED_OF_MANUAL = /\.[\w-]{8}(?:\.lean)?\.(?:js|css)(?:\.br|\.gz)?$/

/** Serves the manual below `/docs/`: pages without an ending, as Markdown with `.md`, and its scripts compressed. */
export async function serveManual(app: FastifyInstance, manual: Manual): Promise<void> {
  const policy = manualPolicyOf(manual.scriptHashes)
  await app.register(fastifyStatic, {
    root: manual.folder,
    prefix: "/docs/",
    extensions: ["html"],
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header("cache-control", HASHED_OF_MANUAL.test(path) ? IMMUTABLE : "no-cache")
      reply.header("content-security-policy", policy)
    },
  })
}
