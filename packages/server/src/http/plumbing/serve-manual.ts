import fastifyStatic from "@fastify/static"
import type { FastifyInstance } from "fastify"
import type { Manual } from "../../docs/manual.ts"
import { manualPolicyOf } from "./security-headers.ts"

/** Scripts and styles with a hash in their name never change. Browsers revalidate the others. */
const HASHED = /\.[\w-]{8}(?:\.lean)?\.(?:js|css)$/
const IMMUTABLE = "public, max-age=31536000, immutable"

/** Serves the manual below `/docs/`: pages without an ending, and as Markdown with `.md`. */
export async function serveManual(app: FastifyInstance, manual: Manual): Promise<void> {
  const policy = manualPolicyOf(manual.scriptHashes)
  await app.register(fastifyStatic, {
    root: manual.folder,
    prefix: "/docs/",
    extensions: ["html"],
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header("cache-control", HASHED.test(path) ? IMMUTABLE : "no-cache")
      reply.header("content-security-policy", policy)
    },
  })
}
