import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../support/source-files.ts'
import { label, podman, pulled } from './podman.ts'

type Stage = { readonly from: string; readonly name: string | null }

/** The stages of the Dockerfile; the last, which has no name, is the image. */
function stages(): readonly Stage[] {
  const text = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8')
  return [...text.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)].map(([, from, name]) => ({
    from: String(from),
    name: name ?? null,
  }))
}

/**
 * Builds every stage of the Dockerfile as it is, and returns the name of the image. `tell` gets each
 * stage that was built.
 */
export async function buildStages(tell: (stage: string, ms: number) => void): Promise<string> {
  const all = stages()
  for (const { from } of all) await pulled(from)
  for (const { name } of all) {
    const beganAt = performance.now()
    const target = name === null ? [] : ['--target', name]
    await podman(['build', ...target, '--tag', `localhost/${label}:${name ?? 'image'}`, '.'])
    tell(name ?? 'image', performance.now() - beganAt)
  }
  return `localhost/${label}:image`
}
