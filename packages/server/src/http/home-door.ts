import type { FastifyReply, FastifyRequest } from "fastify"

/** GET /: to the reference for people, the one page there is. */
export const homeDoor = () => async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect("/docs", 302)
