import { ImportStartedResponseSchema, ImportsResponseSchema } from "@restwell/client"
import { z } from "zod"
import { pathsOf } from "./operation.ts"
import { success } from "./responses.ts"

const UploadSchema = z.object({
  file: z.string().meta({ format: "binary", description: "The archive, as the vendor's app or Restwell made it" }),
  private_topics: z
    .enum(["include", "ignore"])
    .default("ignore")
    .meta({ description: "Whether journal answers about private topics are stored" }),
})

/** Archives that people upload. DESIGN section 4, "Archives" */
export const importPaths = pathsOf({
  "POST /api/imports": {
    id: "uploadArchive",
    summary: "Upload an archive",
    description:
      "Takes the data export of WHOOP or Oura (the zip file or one of its tables) and Restwell's own export. The format is detected by content, and the " +
      "file is read in the background: `GET /api/imports` has the report. Records that the vendor's API has too stay as they are.",
    body: { required: true, content: { "multipart/form-data": { schema: UploadSchema } } },
    responses: { "202": success("Received", ImportStartedResponseSchema) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyImports", "unavailable"],
  },
  "GET /api/imports": {
    id: "listImports",
    summary: "List imports",
    description: "Newest first, with the report of each.",
    responses: { "200": success("The imports", ImportsResponseSchema) },
    failures: ["notSignedIn", "unavailable"],
  },
  "DELETE /api/imports/{id}": {
    id: "undoImport",
    summary: "Undo an import",
    description: "Removes what this import alone brought. What another import or the vendor also has stays.",
    requestParams: {
      path: z.object({ id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }) }),
    },
    responses: { "204": { description: "Undone" } },
    failures: ["notSignedIn", "forbidden", "noImport", "unavailable"],
  },
})
