import { deepStrictEqual } from "node:assert"
import type { PoolConfig } from "pg"
import { z } from "zod"
import { capture } from "../measuring/capture.ts"
import type { Asked } from "../measuring/requests.ts"
import { type ChildServer, startChild } from "../targets/child.ts"

export const startFastifyPg = (database: PoolConfig): Promise<ChildServer> =>
  startChild(new URL("fastify-pg.ts", import.meta.url), { database })

/** @param asked a read of the service, whose body the peer sends to every key */
export async function startMinimalCountedRead(database: PoolConfig, port: number, asked: Asked): Promise<ChildServer> {
  const { body } = await capture(port, asked)
  return startChild(new URL("minimal-counted-read.ts", import.meta.url), { database, body })
}

export const startPgJson = (database: PoolConfig): Promise<ChildServer> =>
  startChild(new URL("pg-json.ts", import.meta.url), { database })

const AnswerSchema = z.looseObject({ records: z.array(z.unknown()).nonempty() })

/** Fails where a peer answers other records than the service. */
export async function expectSameRecords(
  ours: { readonly port: number; readonly asked: Asked },
  peer: { readonly port: number; readonly asked: Asked },
): Promise<void> {
  const [expected, found] = await Promise.all(
    [ours, peer].map(async ({ port, asked }) => {
      const { body } = await capture(port, asked)
      return AnswerSchema.parse(JSON.parse(body.toString())).records
    }),
  )
  deepStrictEqual(found, expected)
}
