import { benchCreations } from '../support/bench-creations.ts'

// Creations with a courier that answers at once in the service's own process.
// `npm run bench -- create [seconds] [rounds]`

await benchCreations('create', 'instant', { atLeast: 0.3 })
