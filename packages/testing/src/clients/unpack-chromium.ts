/**
 * Unpacks the Chromium of @sparticuz/chromium, its fonts and the libraries a bare Linux lacks, into TMPDIR, and ends.
 * A program of its own, because that package reads where and what to unpack from the environment of the process.
 */
import chromium from "@sparticuz/chromium"

await chromium.executablePath()
