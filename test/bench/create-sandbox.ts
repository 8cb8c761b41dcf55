import { benchCreations } from '../support/bench-creations.ts'

// Creations through the simulated courier, over HTTP, which lives in the same process and is paid for
// by it. `npm run bench -- create-sandbox [seconds] [rounds]`

await benchCreations('create-sandbox', 'simulated', null)
