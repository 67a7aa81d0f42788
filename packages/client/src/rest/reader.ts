// Who gets the answer to a read with an API key: the person's own programs, or an assistant.
import { z } from "zod"

/** The request header that names the reader. */
export const READER_HEADER = "Restwell-Reader"

export const ReaderSchema = z.enum(["assistant"], { error: `${READER_HEADER} must be assistant, or left out` }).meta({
  description:
    "`assistant` for a program that gives the answer to an AI assistant. Terms of some vendors keep their records from assistants: such " +
    "records are left out, as the connector leaves them out",
  example: "assistant",
})

export type Reader = z.infer<typeof ReaderSchema>
