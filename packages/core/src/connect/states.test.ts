import { expect, test } from "vitest"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { type ConnectionEvent, nextStatus } from "./connection-status.ts"

const EVENTS: Record<string, ConnectionEvent> = {
  connected: { type: "connected" },
  synced: { type: "synced" },
  vendor_failed: { type: "vendor_failed", reason: "no answer" },
  sync_failed: { type: "sync_failed", reason: "an unexpected error" },
  authorization_revoked: { type: "authorization_revoked", reason: "refused" },
  authorization_recovered: { type: "authorization_recovered" },
  disconnected: { type: "disconnected" },
  archive_stored: { type: "archive_stored" },
  archives_removed: { type: "archives_removed" },
}

/** The whole machine: status, event, next with an incomplete history, next with a complete one. */
const TABLE: [ConnectionStatus, keyof typeof EVENTS, ConnectionStatus, ConnectionStatus][] = [
  ["syncing", "connected", "syncing", "ok"],
  ["syncing", "synced", "syncing", "ok"],
  ["syncing", "vendor_failed", "vendor_unavailable", "vendor_unavailable"],
  ["syncing", "sync_failed", "failing", "failing"],
  ["syncing", "authorization_revoked", "reauthorization_required", "reauthorization_required"],
  ["syncing", "disconnected", "disconnected", "disconnected"],
  ["ok", "synced", "syncing", "ok"],
  ["ok", "vendor_failed", "vendor_unavailable", "vendor_unavailable"],
  ["ok", "sync_failed", "failing", "failing"],
  ["ok", "authorization_revoked", "reauthorization_required", "reauthorization_required"],
  ["ok", "disconnected", "disconnected", "disconnected"],
  ["vendor_unavailable", "synced", "syncing", "ok"],
  ["vendor_unavailable", "connected", "syncing", "ok"],
  ["vendor_unavailable", "sync_failed", "failing", "failing"],
  ["vendor_unavailable", "authorization_revoked", "reauthorization_required", "reauthorization_required"],
  ["failing", "synced", "syncing", "ok"],
  ["failing", "connected", "syncing", "ok"],
  ["failing", "sync_failed", "failing", "failing"],
  ["failing", "vendor_failed", "vendor_unavailable", "vendor_unavailable"],
  ["failing", "authorization_revoked", "reauthorization_required", "reauthorization_required"],
  ["failing", "authorization_recovered", "failing", "failing"],
  ["failing", "disconnected", "disconnected", "disconnected"],
  ["reauthorization_required", "connected", "syncing", "ok"],
  ["reauthorization_required", "synced", "reauthorization_required", "reauthorization_required"],
  ["reauthorization_required", "vendor_failed", "reauthorization_required", "reauthorization_required"],
  ["reauthorization_required", "sync_failed", "reauthorization_required", "reauthorization_required"],
  ["reauthorization_required", "disconnected", "disconnected", "disconnected"],
  ["reauthorization_required", "authorization_recovered", "syncing", "ok"],
  ["vendor_unavailable", "authorization_recovered", "vendor_unavailable", "vendor_unavailable"],
  ["disconnected", "authorization_recovered", "disconnected", "disconnected"],
  ["disconnected", "connected", "syncing", "ok"],
  ["disconnected", "synced", "disconnected", "disconnected"],
  ["disconnected", "vendor_failed", "disconnected", "disconnected"],
  ["disconnected", "sync_failed", "disconnected", "disconnected"],
  ["disconnected", "authorization_revoked", "disconnected", "disconnected"],
  ["disconnected", "archive_stored", "archive", "archive"],
  ["vendor_unavailable", "archive_stored", "vendor_unavailable", "vendor_unavailable"],
  ["syncing", "archive_stored", "syncing", "syncing"],
  ["archive", "archive_stored", "archive", "archive"],
  ["archive", "connected", "syncing", "ok"],
  ["archive", "synced", "archive", "archive"],
  ["archive", "vendor_failed", "archive", "archive"],
  ["archive", "sync_failed", "archive", "archive"],
  ["archive", "authorization_revoked", "archive", "archive"],
  ["archive", "archives_removed", "disconnected", "disconnected"],
  ["ok", "archives_removed", "ok", "ok"],
]

test.each(TABLE)(
  "%s, when %s, becomes %s, or %s once the history is complete",
  (status, type, incomplete, complete) => {
    const event = EVENTS[type]
    if (!event) throw new Error(`no event ${type}`)
    expect(nextStatus(status, event, false)).toBe(incomplete)
    expect(nextStatus(status, event, true)).toBe(complete)
  },
)
