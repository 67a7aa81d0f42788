import { z } from "zod"

// The policy of the page forbids making code from text, which zod would try for speed. Before any schema is made: `send.ts`, which all
// schemas come through, imports it first.
z.config({ jitless: true })
