import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { serviceMetrics } from '../../src/service/http/service/metrics.ts'
import { projectRoot } from '../support/source-files.ts'

const folder = join(projectRoot, 'docs/monitoring')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

type Rule = { readonly record?: string; readonly alert?: string; readonly expr: string }
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
type Dashboard = {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

const ruleFiles = ['recording-rules.yml', 'alerting-rules.yml']
const rules = ruleFiles.flatMap((file) =>
  (parse(read(file)) as Rules).groups.flatMap((group) => group.rules),
)
const { panels } = JSON.parse(read('grafana-dashboard.json')) as Dashboard
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

const { registry } = serviceMetrics({
  isReady: async () => true,
  disks: async () => [],
  unwritableFiles: async () => [],
  projections: async () => [],
  operations: async () => [],
  attention: async () => [],
  webhooks: async () => ({ pending: 0, dead: 0, discarded: 0, failing: 0, oldestAgeSeconds: 0 }),
  erasures: async () => ({ pending: 0, oldestAgeSeconds: 0 }),
  unsealedSeconds: async () => 0,
  ledger: async () => ({
    isDamaged: false,
    findFirst: { asked: 0, found: 0, created: 0 },
  }),
  witnesses: async () => [],
})
const recorded = new Set(rules.map(({ record }) => record))

/** Keywords of the language; a name before a parenthesis is a function. */
const words = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset'])

/** The names of the series in an expression, without labels, ranges and functions. */
function seriesIn(expression: string): readonly string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
  const names = [...bare.matchAll(/(?<![\w:.])([a-zA-Z_][\w:]*)(?!\s*\(|[\w:])/g)]
  return names.map(([, name]) => String(name)).filter((name) => !words.has(name))
}

function exists(name: string): boolean {
  const base = name.replace(/_(bucket|count|sum)$/, '')
  return [name, base].some((each) => registry.getSingleMetric(each) !== undefined)
}

t.test('every series in the rules and on the dashboard exists', async (t) => {
  t.ok(expressions.length > 30)
  for (const expression of expressions) {
    const names = seriesIn(expression)
    t.ok(names.length > 0, expression)
    const unknown = names.filter((name) => !recorded.has(name) && !exists(name))
    t.same(unknown, [], expression)
  }
  t.same(seriesIn('sum by (le) (rate(no_such_thing_bucket{a="b"}[5m])) > 3'), [
    'no_such_thing_bucket',
  ])
})

t.test('every label that an expression names is a label of its metric', async (t) => {
  for (const expression of expressions) {
    for (const [, name = '', labels = ''] of expression.matchAll(/([a-z_:]+)\{([^}]*)\}/g)) {
      const metric = registry.getSingleMetric(name.replace(/_(bucket|count|sum)$/, ''))
      const known = (metric as unknown as { labelNames?: readonly string[] }).labelNames ?? []
      for (const [, label = ''] of labels.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)) {
        t.ok(known.includes(label), `${name} has the label ${label}`)
      }
    }
  }
})

t.test('every alert says what it means, and its name is used once', async (t) => {
  const alerts = rules.filter(({ alert }) => alert !== undefined)
  t.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
  for (const rule of alerts) {
    t.match(rule, { labels: { severity: /^(warning|critical)$/ } }, String(rule.alert))
    t.match(rule, { annotations: { summary: /./, description: /./ } }, String(rule.alert))
  }
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const checked = hasPromtool
  ? 'promtool accepts the rules'
  : 'promtool accepts the rules (skipped: it is not installed)'
t.test(checked, { skip: !hasPromtool }, async (t) => {
  const files = ruleFiles.map((file) => join(folder, file))
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'rules', ...files])
  t.equal(status, 0, `${stdout}${stderr}`)
})
