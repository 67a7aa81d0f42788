import type { ColumnType } from "kysely"

/** JSON columns are written as text and read as values. */
export type JsonColumn<Value> = ColumnType<Value, string, string>
