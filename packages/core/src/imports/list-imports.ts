import type { Context } from "../context/context.ts"

/** A person's imports, newest first. A file that is still uploaded is not listed. */
export async function listImports({ database }: Pick<Context, "database">, userId: string) {
  const rows = await database
    .selectFrom("import")
    .select(["id", "file_name as fileName", "kind", "status", "progress", "report", "error", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where("status", "!=", "receiving")
    .orderBy("number", "desc")
    .execute()
  return rows.flatMap(({ status, ...row }) => (status === "receiving" ? [] : [{ ...row, status }]))
}
