import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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
/** Between two looks at a service that runs once. */
const onceIntervalMs = 500
/** Of the log of a service that does not become ready. */
const linesShown = 40
/** The last part of the first service's address; the network itself has the first ones. */
const firstHost = 10
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
function createOptions(name: string, service: Service, addresses: Addresses): readonly string[] {
  const { user, entrypoint, network_mode, cap_add } = service
  const each = (option: string, values: readonly string[]) =>
    values.flatMap((value) => [option, value])
  return [
    ...['--name', namePrefix + name, '--label', label, '--restart', service.restart],
    ...['--stop-timeout', String(secondsOf(service.stop_grace_period))],
    ...(user === undefined ? [] : ['--user', user]),
    ...(entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(entrypoint)]),
    ...(network_mode === undefined ? [] : ['--network', network_mode]),
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
      service.networks.map((network) => {
        const address = addresses.get(network)?.get(name)
        return `${namePrefix}${network}:alias=${name},ip=${address}`
      }),
    ),
    ...each('--add-host', hostsOf(service, addresses)),
    ...each('--publish', service.ports.map(withFreePort)),
    '--no-healthcheck',
  ]
}

/** The address of each service, by network. */
type Addresses = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * The names of the service's neighbours. podman has a name server for them, but that of podman 4.3
 * sometimes leaves questions unanswered for half a minute after a container was started or killed.
 */
function hostsOf(service: Service, addresses: Addresses): readonly string[] {
  const known = service.networks.flatMap((network) => [...(addresses.get(network) ?? [])])
  return [...new Map(known)].map(([name, address]) => `${name}:${address}`)
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
  readonly #addresses = new Map<string, ReadonlyMap<string, string>>()

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
      const format = '{{(index .Subnets 0).Subnet}}'
      const subnet = await podman(['network', 'inspect', '--format', format, namePrefix + network])
      const start = subnet.replace(/\d+\/24$/, '')
      const members = names.filter((name) =>
        serviceOf(this.#compose, name).networks.includes(network),
      )
      const numbered = members.map((name, index) => [name, `${start}${firstHost + index}`] as const)
      this.#addresses.set(network, new Map(numbered))
    }
    const volumes = services.flatMap((service) => service.volumes)
    for (const volume of new Set(volumes.map((one) => String(one.split(':')[0])))) {
      await podman(['volume', 'create', '--label', label, namePrefix + volume])
    }
  }

  /**
   * Starts the services, each as soon as those that it depends on are ready. `tell` gets each that is
   * ready. If one fails, it still waits for those that it has started.
   */
  async startAll(
    names: readonly string[],
    tell: (name: string, ms: number) => void,
  ): Promise<void> {
    const all = new Map<string, Promise<void>>()
    const startOne = async (name: string, needs: readonly string[]) => {
      await Promise.all(needs.map((need) => all.get(need)))
      const beganAt = performance.now()
      await this.#create(name)
      await this.start(name)
      tell(name, performance.now() - beganAt)
    }
    for (const name of names) {
      all.set(name, startOne(name, Object.keys(serviceOf(this.#compose, name).depends_on)))
    }
    const failed = (await Promise.allSettled(all.values())).find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #create(name: string): Promise<void> {
    const service = serviceOf(this.#compose, name)
    const given = (value: string) => interpolate(value, this.#secrets)
    const image = service.image === undefined ? this.#ownImage : await pulled(service.image)
    const environment = Object.entries(service.environment).map(([variable, value]) => [
      variable,
      given(value),
    ])
    const args = [
      'create',
      ...createOptions(name, service, this.#addresses),
      image,
      ...service.command.map(given),
    ]
    await podman(args, { env: Object.fromEntries(environment) })
    for (const { source, target } of service.configs) {
      const { file, content } = this.#compose.configs[source] ?? {}
      const to = `${namePrefix}${name}:${target}`
      if (file !== undefined) await podman(['cp', join(projectRoot, file), to])
      else await copyText(given(content ?? ''), to)
    }
  }

  /** Starts a service that was created and waits until its dependents may start. */
  async start(name: string): Promise<void> {
    const service = serviceOf(this.#compose, name)
    const interval = service.healthcheck?.start_interval
    const intervalMs = interval === undefined ? onceIntervalMs : secondsOf(interval) * 1_000
    await podman(['start', namePrefix + name])
    const isReady = async () => {
      await delay(intervalMs)
      return await this.#isReady(name, service)
    }
    await eventually(isReady, (is) => is, readyWithinMs).catch(async (error) => {
      throw new Error(`${name} is not ready, ${await this.#lastOf(name)}`, { cause: error })
    })
  }

  /** Whether the service is healthy or, if it has no health check, ran and exited with 0. */
  async #isReady(name: string, { healthcheck }: Service): Promise<boolean> {
    if (healthcheck === undefined) {
      const state = await this.#changingState(name, '{{.State.Status}} {{.State.ExitCode}}')
      return state === 'exited 0'
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

  /** The exit code of a command in the service's container. */
  async exitCodeOf(name: string, ...command: readonly string[]): Promise<number | null> {
    return (await tryPodman(['exec', namePrefix + name, ...command])).code
  }

  /** The address of a service in the first of its networks. */
  addressOf(name: string): string {
    const [network = ''] = serviceOf(this.#compose, name).networks
    return String(this.#addresses.get(network)?.get(name))
  }

  /** The URL of a port that the service publishes. */
  async url(name: string, port: number): Promise<string> {
    return `http://${await podman(['port', namePrefix + name, `${port}/tcp`])}`
  }

  /** How often the service was restarted, and the end of its log. */
  async #lastOf(name: string): Promise<string> {
    const restarts = await this.#state(name, '{{.RestartCount}}')
    const { stdout, stderr } = await tryPodman(['logs', namePrefix + name])
    const lines = (stdout + stderr).split('\n').slice(-linesShown)
    return `restarted ${restarts} times; the end of its log:\n${lines.join('\n')}`
  }

  /** Kills a service, which then stays down until it is started, and returns its state. */
  async kill(name: string): Promise<string> {
    await podman(['kill', namePrefix + name])
    const state = () => this.#changingState(name, '{{.State.Status}} {{.State.ExitCode}}')
    return await eventually(state, (now) => now.startsWith('exited'))
  }

  /**
   * Kills the process of a service as the kernel does when memory runs out, and tells whether the
   * restart policy started it again.
   */
  async losesProcess(name: string): Promise<boolean> {
    const pid = '{{.State.Pid}}'
    const before = await this.#state(name, pid)
    process.kill(Number(before), 'SIGKILL')
    const now = () => this.#changingState(name, pid)
    return await eventually(now, (found) => /^[1-9]/.test(found) && found !== before).then(
      () => true,
      () => false,
    )
  }

  #state(name: string, format: string): Promise<string> {
    return podman(['inspect', '--format', format, namePrefix + name])
  }

  /** The state of a container that may be exiting, when podman sometimes cannot tell: then empty. */
  async #changingState(name: string, format: string): Promise<string> {
    return await this.#state(name, format).catch(() => '')
  }

  /** Stops a service as Compose does. Killed after its grace period, it exits with 137. */
  async stop(name: string): Promise<Stopped> {
    const beganAt = performance.now()
    await podman(['stop', namePrefix + name])
    const ms = Math.round(performance.now() - beganAt)
    return { name, exitCode: Number(await this.#state(name, '{{.State.ExitCode}}')), ms }
  }

  /** Stops the services, each as soon as those that depend on it have stopped. */
  async stopAll(names: readonly string[]): Promise<readonly Stopped[]> {
    const all = new Map<string, Promise<Stopped>>()
    for (const name of names.toReversed()) {
      const dependents = names.filter(
        (other) => serviceOf(this.#compose, other).depends_on[name] !== undefined,
      )
      const before = Promise.all(dependents.map((other) => all.get(other)))
      all.set(
        name,
        before.then(() => this.stop(name)),
      )
    }
    return await Promise.all(all.values())
  }
}

async function copyText(text: string, to: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), `${label}-`))
  try {
    const file = join(directory, 'text')
    writeFileSync(file, text)
    await podman(['cp', file, to])
  } finally {
    rmSync(directory, { recursive: true })
  }
}
