import fastifyStatic from "@fastify/static"
import type { FastifyInstance } from "fastify"

/** Files with a hash in their name never change. Browsers revalidate the others. */
const HASHED = /-[\w-]{8}\.(?:js|css)(?:\.br|\.gz)?$/
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
    setHeaders: (reply, path) => reply.header("cache-control", HASHED.test(path) ? IMMUTABLE : SHORT),
  })
}
