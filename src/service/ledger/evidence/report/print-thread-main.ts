import { parentPort } from 'node:worker_threads'
import { printReport } from './print-report.ts'
import type { Printed, ToPrint } from './print-thread.ts'

const post = (printed: Printed) => parentPort?.postMessage(printed)

parentPort?.on('message', async ({ number, report }: ToPrint) => {
  try {
    post({ number, pdf: await printReport(report) })
  } catch (error) {
    post({ number, failed: error instanceof Error ? error.message : 'unknown' })
  }
})
