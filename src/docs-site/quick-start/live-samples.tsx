import type { Sample } from '../site-page.ts'

export function LiveSamples({ samples }: { readonly samples: readonly Sample[] }) {
  return <span hidden>{samples.length}</span>
}
