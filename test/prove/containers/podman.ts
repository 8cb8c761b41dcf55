import { spawn } from 'node:child_process'
import { type Ended, watchProcess } from '../../support/run-process.ts'
import { projectRoot } from '../../support/source-files.ts'

/** Marks everything that the proof creates, so that it removes nothing else. */
export const label = 'shipping-ledger-proof'

type PodmanOptions = {
  /** Variables for `--env NAME`, which keeps their values out of the list of processes. */
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** Runs podman until it exits, whatever the exit code is. */
export function tryPodman(args: readonly string[], options: PodmanOptions = {}): Promise<Ended> {
  const env = { ...process.env, ...options.env }
  const { timeoutMs: timeout } = options
  return watchProcess(spawn('podman', args, { cwd: projectRoot, env, timeout, stdio: 'pipe' }))
    .ended
}

/** Runs podman and returns what it printed. Throws if it fails. */
export async function podman(
  args: readonly string[],
  options: PodmanOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await tryPodman(args, options)
  if (code === 0) return stdout.trim()
  const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n')
  throw new Error(`podman ${args.slice(0, 2).join(' ')} exited with ${code}:\n${last}`)
}

/** The name of an image as Docker completes it: podman may ask other registries. */
function completeName(image: string): string {
  const [first = '', ...rest] = image.split('/')
  if (rest.length === 0) return `docker.io/library/${image}`
  return /[.:]|^localhost$/.test(first) ? image : `docker.io/${image}`
}

/** Pulls an image unless it is there, and returns its complete name. */
export async function pulled(image: string): Promise<string> {
  const name = completeName(image)
  const { code } = await tryPodman(['image', 'exists', name])
  if (code !== 0) await podman(['pull', '--quiet', name])
  return name
}

/** Removes the containers, networks and volumes of the proof, not the images. */
export async function removeAll(): Promise<void> {
  const filter = ['--quiet', '--filter', `label=${label}`]
  const found = async (...list: string[]) => (await podman([...list, ...filter])).split('\n')
  const containers = (await found('ps', '--all')).filter((id) => id !== '')
  if (containers.length > 0)
    await podman(['rm', '--force', '--time', '0', '--volumes', ...containers])
  for (const kind of ['network', 'volume']) {
    const names = (await found(kind, 'ls')).filter((name) => name !== '')
    if (names.length > 0) await podman([kind, 'rm', '--force', ...names])
  }
}
