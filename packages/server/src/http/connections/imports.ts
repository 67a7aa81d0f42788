import {
  type ImportStartedResponse,
  ImportStartedResponseSchema,
  type ImportsResponse,
  ImportsResponseSchema,
} from "@restwell/client"
import { type Context, InvalidRequest, listImports, receiveImport, undoImport } from "@restwell/core"
import { READABLE_FILES } from "@restwell/providers"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { success } from "../../openapi/responses.ts"
import { arrivingPieces } from "../plumbing/arriving-body.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { pathParameter } from "../plumbing/requests.ts"

export const IMPORTS_PATH = "/api/imports"

export interface ImportServices {
  readonly context: Context
  /** For what may take longer than an answer usually does. */
  readonly workContext: Context
  readonly accounts: Accounts
  /** Largest archive that is taken. */
  readonly importMaxBytes: number
}

/** The largest form beside its file. */
const FORM_LIMITS = { files: 1, fields: 4, fieldSize: 100, headerPairs: 20 }
/** Bytes of a form around its file. */
const LARGEST_FORM = 65_536
const NO_FILE = "send the archive as multipart/form-data, in the field file"
const PrivateTopicsSchema = z.enum(["include", "ignore"], { error: "must be include or ignore" })

/** The size of the form, which is hardly larger than its file. @throws when it is too large */
function expectedBytesOf(request: FastifyRequest, importMaxBytes: number): number | undefined {
  const { "content-length": length } = request.headers
  if (length === undefined) return undefined
  const bytes = Number(length)
  if (bytes > importMaxBytes + LARGEST_FORM) throw new request.server.multipartErrors.RequestFileTooLargeError()
  return bytes
}

/** The file of a form. Its fields may stand before or after the file. */
async function openForm(request: FastifyRequest, fileSize: number) {
  const parts = arrivingPieces(request.raw, request.parts({ limits: { ...FORM_LIMITS, fileSize } }))
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
      for await (const piece of wholeForm(arrivingPieces<Buffer>(request.raw, part.file))) yield piece
      if (part.file.truncated) throw new request.server.multipartErrors.RequestFileTooLargeError()
      for await (const after of wholeForm({ [Symbol.asyncIterator]: () => parts })) {
        if (after.type === "file") throw new InvalidRequest("send one archive at a time", "file")
        readField(after.fieldname, after.value)
      }
    }
    // The type says that there always is a name. A part may have none.
    const { filename = "" }: { filename?: string } = part
    return { fileName: filename, content: content(), includesPrivate: () => includesPrivate }
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

const UploadSchema = z.object({
  file: z.string().meta({ format: "binary", description: "The archive, as the vendor's app or Restwell made it" }),
  private_topics: z
    .enum(["include", "ignore"])
    .default("ignore")
    .meta({ description: "Whether journal answers about private topics are stored" }),
})

/** Archives that people upload. */
export const importEndpoints = defineEndpoints<ImportServices>("Account", [
  {
    method: "GET",
    path: IMPORTS_PATH,
    access: "session",
    id: "listImports",
    summary: "List imports",
    description: "Newest first, with the report of each.",
    responses: { "200": success("The imports", ImportsResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      async (): Promise<ImportsResponse> => {
        const imports = await listImports(context, userId)
        return {
          imports: imports.map(({ fileName, createdAt, report, ...listed }) => ({
            ...listed,
            file_name: fileName,
            report: report && {
              ...report,
              ignored: report.ignored.map(({ reason, count }) => ({ reason, count })),
              notes: [...report.notes],
              by_type: { ...report.by_type },
              dates_by_type: { ...report.dates_by_type },
            },
            created_at: createdAt.toISOString(),
          })),
        }
      },
  },
  {
    method: "POST",
    path: IMPORTS_PATH,
    access: "session",
    bodyType: "file",
    id: "uploadArchive",
    summary: "Upload an archive",
    description:
      `Takes ${READABLE_FILES}. The format is detected by content, and the ` +
      "file is read in the background: `GET /api/imports` has the report. Records that the vendor's API has too stay as they are.",
    requestBody: { required: true, content: { "multipart/form-data": { schema: UploadSchema } } },
    responses: { "202": success("Received", ImportStartedResponseSchema) },
    failures: ["tooManyImports"],
    // The file is stored while it arrives, and read in the background.
    handle: async ({ context, importMaxBytes }, { session: { userId }, reply, request }) => {
      if (!request.isMultipart()) throw new InvalidRequest(NO_FILE, "file")
      const expectedBytes = expectedBytesOf(request, importMaxBytes)
      try {
        const form = await openForm(request, importMaxBytes)
        const id = await receiveImport(context, { userId, expectedBytes, ...form })
        const started: ImportStartedResponse = { id }
        return reply.code(202).send(started)
      } catch (error) {
        // A client that still sends would not read the refusal, and its connection could not be used again.
        request.raw.unpipe()
        request.raw.resume()
        throw error
      }
    },
  },
  {
    method: "DELETE",
    path: `${IMPORTS_PATH}/:id`,
    access: "session",
    id: "undoImport",
    summary: "Undo an import",
    description: "Removes what this import alone brought. What another import or the vendor also has stays.",
    params: z.object({ id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }) }),
    responses: { "204": { description: "Undone" } },
    failures: ["noImport"],
    handle: async ({ workContext }, { session: { userId }, reply, request }) => {
      await undoImport(workContext, userId, pathParameter(request, "id"))
      return reply.code(204).send()
    },
  },
])
