import type { ImportStartedResponse, ImportsResponse } from "@restwell/client"
import { type Context, InvalidRequest, listImports, receiveImport, undoImport } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Route } from "../plumbing/route.ts"
import { type SessionHandler, withSession } from "../plumbing/session.ts"

export const IMPORTS_PATH = "/api/imports"

export interface ImportServices {
  readonly context: Context
  readonly accounts: Accounts
  /** Largest archive that is taken. */
  readonly importMaxBytes: number
}

/** Uploading archives, listing and undoing imports. */
export function importRoutes({ context, accounts, importMaxBytes }: ImportServices): Route[] {
  const own = (handle: SessionHandler) => withSession(accounts, handle)
  return [
    { method: "GET", path: IMPORTS_PATH, handle: own(listHandler(context)) },
    { method: "POST", path: IMPORTS_PATH, handle: own(uploadHandler(context, importMaxBytes)), body: "file" },
    { method: "DELETE", path: `${IMPORTS_PATH}/:id`, handle: own(undoHandler(context)) },
  ]
}

const listHandler =
  (context: Context): SessionHandler =>
  async ({ userId }): Promise<ImportsResponse> => {
    const imports = await listImports(context, userId)
    return {
      imports: imports.map(({ fileName, createdAt, report, ...listed }) => ({
        ...listed,
        file_name: fileName,
        report: report && {
          ...report,
          ignored: report.ignored.map(({ reason, count }) => ({ reason, count })),
          by_type: { ...report.by_type },
        },
        created_at: createdAt.toISOString(),
      })),
    }
  }

/** The largest form beside its file. */
const FORM_LIMITS = { files: 1, fields: 4, fieldSize: 100, headerPairs: 20 }
const NO_FILE = "send the archive as multipart/form-data, in the field file"
const PrivateTopicsSchema = z.enum(["include", "ignore"], { error: "must be include or ignore" })

/** POST /api/imports. The file is stored while it arrives, and read in the background. */
const uploadHandler =
  (context: Context, importMaxBytes: number): SessionHandler =>
  async ({ userId }, reply, request) => {
    if (!request.isMultipart()) throw new InvalidRequest(NO_FILE, "file")
    const form = await openForm(request, importMaxBytes)
    const id = await receiveImport(context, {
      userId,
      fileName: form.fileName,
      content: form.content,
      includesPrivate: form.includesPrivate,
    })
    const started: ImportStartedResponse = { id }
    return reply.code(202).send(started)
  }

/** The file of a form. Its fields may stand before or after the file. */
async function openForm(request: FastifyRequest, fileSize: number) {
  const parts = request.parts({ limits: { ...FORM_LIMITS, fileSize } })
  let includesPrivate = false
  const readField = (name: string, value: unknown) => {
    if (name !== "private_topics") throw new InvalidRequest(`unknown field ${name.slice(0, 40)}, ${NO_FILE}`, "file")
    const parsed = PrivateTopicsSchema.safeParse(value)
    if (!parsed.success) throw new InvalidRequest("private_topics must be include or ignore", "private_topics")
    includesPrivate = parsed.data === "include"
  }
  for (;;) {
    const { value: part } = await parts.next().catch(refuseBrokenForm)
    if (part === undefined) throw new InvalidRequest(NO_FILE, "file")
    if (part.type === "field") {
      readField(part.fieldname, part.value)
      continue
    }
    if (part.fieldname !== "file") throw new InvalidRequest(NO_FILE, "file")
    const content = async function* (): AsyncGenerator<Buffer, void> {
      for await (const piece of wholeForm<Buffer>(part.file)) yield piece
      if (part.file.truncated) throw new request.server.multipartErrors.RequestFileTooLargeError()
      for await (const after of wholeForm({ [Symbol.asyncIterator]: () => parts })) {
        if (after.type === "file") throw new InvalidRequest("send one archive at a time", "file")
        readField(after.fieldname, after.value)
      }
    }
    return { fileName: part.filename, content: content(), includesPrivate: () => includesPrivate }
  }
}

async function* wholeForm<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  try {
    yield* pieces
  } catch (error) {
    refuseBrokenForm(error)
  }
}

/** A form that ends early or is not one. The parser's own refusals have a status. */
function refuseBrokenForm(error: unknown): never {
  if (error instanceof Error && "statusCode" in error) throw error
  throw new InvalidRequest("the form with the archive is broken or ended early, upload it again", "file", {
    cause: error,
  })
}

const undoHandler =
  (context: Context): SessionHandler =>
  async ({ userId }, reply, request) => {
    await undoImport(context, userId, pathParameter(request, "id"))
    return reply.code(204).send()
  }
