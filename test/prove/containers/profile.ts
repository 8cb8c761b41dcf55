import { join } from 'node:path'
import {
  type Compose,
  interpolate,
  type Secrets,
  type Service,
  secondsOf,
} from '../../support/compose-file.ts'
import { eventually } from '../../support/eventually.ts'
import { projectRoot } from '../../support/source-files.ts'
import { label, podman, pulled, tryPodman } from './podman.ts'

const readyWithinMs = 180_000
const namePrefix = `${label}-`

export type Stopped = { readonly name: string; readonly exitCode: number; readonly ms: number }

/** The services that start with one of them, in the order in which Compose starts them. */
export function startOrder(compose: Compose, name: string): readonly string[] {
  const needs = Object.keys(serviceOf(compose, name).depends_on)
  return [...new Set([...needs.flatMap((one) => startOrder(compose, one)), name])]
}

function serviceOf(compose: Compose, name: string): Service {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`)
  return service
}

/**
 * The options of `podman create` that mean what the Compose file says of a service. Every published
 * port is a free one instead. Logging is podman's own, and `start` does the health checks: podman needs
 * systemd for them.
 */
function createOptions(name: string, service: Service): readonly string[] {
  const { user, entrypoint, network_mode, cap_add } = service
  if (user !== undefined || entrypoint !== undefined || network_mode !== undefined)
    throw new Error(`${name} has a user, an entrypoint or a network mode: translate it here first`)
  const each = (option: string, values: readonly string[]) =>
    values.flatMap((value) => [option, value])
  return [
    ...['--name', namePrefix + name, '--label', label, '--restart', service.restart],
    ...['--stop-timeout', String(secondsOf(service.stop_grace_period))],
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...each('--cap-drop', service.cap_drop),
    ...each('--cap-add', cap_add),
    ...each('--security-opt', service.security_opt),
    ...each('--env', Object.keys(service.environment)),
    ...each(
      '--volume',
      service.volumes.map((volume) => namePrefix + volume),
    ),
    ...each(
      '--network',
      service.networks.map((network) => `${namePrefix}${network}:alias=${name}`),
    ),
    ...each('--publish', service.ports.map(withFreePort)),
    '--no-healthcheck',
  ]
}

/** `127.0.0.1:3000:3000` → `127.0.0.1::3000`. */
function withFreePort(port: string): string {
  const [address, , inside] = port.split(':')
  return `${address}::${inside}`
}

/** One side of the Compose file as containers of podman. */
export class Profile {
  readonly #compose: Compose
  readonly #secrets: Secrets
  readonly #ownImage: string

  constructor(compose: Compose, secrets: Secrets, ownImage: string) {
    this.#compose = compose
    this.#secrets = secrets
    this.#ownImage = ownImage
  }

  /** Creates the networks and volumes of these services. */
  async prepare(names: readonly string[]): Promise<void> {
    const services = names.map((name) => serviceOf(this.#compose, name))
    for (const network of new Set(services.flatMap(({ networks }) => networks))) {
      const internal = this.#compose.networks[network]?.internal ? ['--internal'] : []
      const options = ['--label', label, ...internal]
      await podman(['network', 'create', ...options, namePrefix + network])
    }
    const volumes = services.flatMap((service) => service.volumes)
    for (const volume of new Set(volumes.map((one) => String(one.split(':')[0])))) {
      await podman(['volume', 'create', '--label', label, namePrefix + volume])
    }
  }

  /** Starts a service and waits until its dependents may start. */
  async start(name: string): Promise<void> {
    const service = serviceOf(this.#compose, name)
    const image = service.image === undefined ? this.#ownImage : await pulled(service.image)
    const environment = Object.entries(service.environment).map(([variable, value]) => [
      variable,
      interpolate(value, this.#secrets),
    ])
    const args = ['create', ...createOptions(name, service), image, ...service.command]
    await podman(args, { env: Object.fromEntries(environment) })
    for (const { source, target } of service.configs) {
      const file = this.#compose.configs[source]?.file
      if (file === undefined) throw new Error(`${source} is no file: translate it here first`)
      await podman(['cp', join(projectRoot, file), `${namePrefix}${name}:${target}`])
    }
    await podman(['start', namePrefix + name])
    await eventually(
      () => this.#isReady(name, service),
      (is) => is,
      readyWithinMs,
    ).catch(async (error) => {
      throw new Error(`${name} is not ready:\n${await this.logs(name)}`, { cause: error })
    })
  }

  /** Whether the service is healthy or, if it has no health check, ran and exited with 0. */
  async #isReady(name: string, { healthcheck }: Service): Promise<boolean> {
    if (healthcheck === undefined) {
      const format = '{{.State.Status}} {{.State.ExitCode}}'
      return (await podman(['inspect', '--format', format, namePrefix + name])) === 'exited 0'
    }
    const [kind, ...command] = healthcheck.test
    if (kind !== 'CMD') throw new Error(`${name} has a health check that is no CMD`)
    const timeoutMs = secondsOf(healthcheck.timeout) * 1_000
    const { code } = await tryPodman(['exec', namePrefix + name, ...command], { timeoutMs })
    return code === 0
  }

  exec(name: string, ...command: readonly string[]): Promise<string> {
    return podman(['exec', namePrefix + name, ...command])
  }

  /** The URL of a port that the service publishes. */
  async url(name: string, port: number): Promise<string> {
    return `http://${await podman(['port', namePrefix + name, `${port}/tcp`])}`
  }

  async logs(name: string): Promise<string> {
    const { stdout, stderr } = await tryPodman(['logs', '--tail', '30', namePrefix + name])
    return stdout + stderr
  }

  /** Stops a service as Compose does. Killed after its grace period, it exits with 137. */
  async stop(name: string): Promise<Stopped> {
    const beganAt = performance.now()
    await podman(['stop', namePrefix + name])
    const ms = Math.round(performance.now() - beganAt)
    const code = await podman(['inspect', '--format', '{{.State.ExitCode}}', namePrefix + name])
    return { name, exitCode: Number(code), ms }
  }
}
