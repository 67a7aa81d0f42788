import {
  ErrorResponseSchema,
  type Import,
  ImportStartedResponseSchema,
  ImportsResponseSchema,
  IngestTokenResponseSchema,
  IngestTokensResponseSchema,
} from "@restwell/client"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { NO_BODY, ServiceFailure, send, useChange } from "./send.ts"

const RUNNING_POLL_MS = 500

export const isRunning = ({ status }: Import): boolean => status === "queued" || status === "running"

/** The person's imports, polled while one runs. All other queries are refetched when it ends. */
export function useImports() {
  const imports = useQuery({
    queryKey: ["imports"],
    queryFn: () => send("/api/imports", ImportsResponseSchema),
    refetchInterval: ({ state }) => (state.data?.imports.some(isRunning) ? RUNNING_POLL_MS : false),
  })
  const refresh = useChange(async () => undefined)
  const isAnyRunning = imports.data?.imports.some(isRunning) === true
  const wasRunning = useRef(isAnyRunning)
  useEffect(() => {
    if (wasRunning.current && !isAnyRunning) refresh.mutate()
    wasRunning.current = isAnyRunning
  }, [isAnyRunning, refresh.mutate])
  return imports
}

export const useUndoImport = () =>
  useChange((id: string) => send(`/api/imports/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))

interface Upload {
  readonly file: File
  readonly includesPrivate: boolean
  /** Called with the fraction that was sent, 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** Uploads an archive. `fetch` does not report the progress of an upload, so it uses XMLHttpRequest. */
export const useUpload = () => useChange(uploadArchive)

function uploadArchive({ file, includesPrivate, onProgress }: Upload): Promise<void> {
  const form = new FormData()
  form.set("private_topics", includesPrivate ? "include" : "ignore")
  form.set("file", file)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.responseType = "json"
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  request.addEventListener("load", () => {
    if (ImportStartedResponseSchema.safeParse(request.response).success) resolve()
    else reject(failureOf(request))
  })
  request.addEventListener("error", () => reject(failureOf(request)))
  request.open("POST", "/api/imports")
  request.send(form)
  return promise
}

const TOO_LARGE = 413

/** Restwell's own words. A proxy in front responds with a page, and an upload that broke off with the status 0. */
function failureOf({ status, response }: XMLHttpRequest): ServiceFailure {
  const parsed = ErrorResponseSchema.safeParse(response).data
  if (parsed) return new ServiceFailure(parsed.message, { status, code: parsed.error })
  return new ServiceFailure(foreignText(status), { status, code: status === 0 ? "unreachable" : "unexpected_response" })
}

function foreignText(status: number): string {
  if (status === 0) return "the upload broke off. Check your connection and try again"
  return status === TOO_LARGE
    ? "a proxy in front of Restwell refuses files of this size. Import it where Restwell runs: restwell import"
    : `the service responded with ${status}. Try again in a moment`
}

const PATH = "/api/account/ingest-tokens"

/** The person's tokens for pushes. */
export const useIngestTokens = () =>
  useQuery({ queryKey: ["ingest-tokens"], queryFn: () => send(PATH, IngestTokensResponseSchema) })

/** Makes a token. It is in the memory of this page and nowhere else. */
export const useCreateIngestToken = () =>
  useChange(
    async (name: string) => (await send(PATH, IngestTokenResponseSchema, { method: "POST", body: { name } })).token,
    0,
  )

export const useEndIngestToken = () =>
  useChange((id: string) => send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))
