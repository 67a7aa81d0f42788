import fastifyStatic from "@fastify/static"
import type { FastifyInstance } from "fastify"

/** Names that change with their content are kept for good; the few others are asked for again after a while. */
const HASHED = /-[\w-]{8}\.(?:js|css)(?:\.br|\.gz)?$/
const FOR_GOOD = "public, max-age=31536000, immutable"
const FOR_A_WHILE = "public, max-age=300"

/** What the dashboard's document loads, as compressed as the visitor takes it. */
export async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/assets/",
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => reply.header("cache-control", HASHED.test(path) ? FOR_GOOD : FOR_A_WHILE),
  })
}
