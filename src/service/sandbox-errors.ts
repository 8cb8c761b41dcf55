import { busy, type ErrorEntry, malformed } from './error-kinds.ts'

/** Reasons that only test keys get. */
export const sandboxErrors = {
  scenario_conflict: {
    ...malformed,
    title: 'The header and the metadata name different scenarios',
    remedy: 'Name only one scenario.',
  },
  sandbox_only: {
    ...malformed,
    title: 'Scenarios and the clock are for test keys',
    remedy: 'Use a key with the test prefix.',
  },
  unknown_scenario: {
    ...malformed,
    title: 'No such scenario',
    remedy: 'Use a name that `GET /v1/sandbox/scenarios` lists.',
  },
  clock_advancing: {
    ...busy,
    title: "The workspace's clock is already being advanced",
    remedy: 'Wait until the advance has finished.',
  },
} as const satisfies Record<string, ErrorEntry>
