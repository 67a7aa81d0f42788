import { z } from "zod"

// The page's Content-Security-Policy forbids the generated code that zod would use for speed.
// `send.ts` imports this file first, before any schema is created.
z.config({ jitless: true })
