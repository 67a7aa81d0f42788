import { Pool, type PoolConfig, types } from "pg"

const DATE_OID = 1082

/** A pool whose calendar dates stay text: a date has no time and no zone, and a JavaScript Date would give it both. */
export const openPool = (config: PoolConfig): Pool =>
  new Pool({
    ...config,
    types: {
      getTypeParser: (oid, format) => (oid === DATE_OID ? (text: string) => text : types.getTypeParser(oid, format)),
    },
  })
