import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../support/source-files.ts'
import { pythonPackage } from './build-python-client.ts'
import { type Operation, operationRows, type Paths, type Row, takesText } from './client-pages.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string }
  readonly enum?: readonly string[]
  readonly 'x-extensible'?: boolean
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}
type Document = {
  readonly paths: Paths
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The files of the Python client that are generated from the OpenAPI document. */
export function pythonClientPages(document: () => Promise<object>) {
  const folder = 'src/client-python'
  return {
    [`${folder}/shipping_ledger/_resources.py`]: async () =>
      resourcesModule((await document()) as Document),
    [`${folder}/shipping_ledger/_types.py`]: async () =>
      typesModule((await document()) as Document),
    [`${folder}/pyproject.toml`]: async () => buildSystem(),
    [`${folder}/setup.cfg`]: async () => setupConfig(),
    [`${folder}/README.md`]: async () =>
      readFileSync(join(projectRoot, 'docs', 'guides', 'python-client.md'), 'utf8'),
  }
}

const header = '# Generated from docs/openapi.json by `npm run generate`.\n'

/**
 * Each object of the document as a TypedDict, the type of the decoded JSON, and each union as an
 * alias of its members, which differ by the literals of one field.
 */
function typesModule(document: Document): string {
  const { components } = document
  const inputs = inputNames(document)
  const schemas = Object.entries(components.schemas)
  const tags = new Map(
    schemas.flatMap(([, { discriminator, oneOf = [] }]) =>
      discriminator === undefined
        ? []
        : oneOf.map((member) => [pythonType(member), discriminator.propertyName] as const),
    ),
  )
  const types = schemas.map(([name, schema]) => {
    if (inputs.has(name)) return inputDict(name, schema)
    return schema.oneOf === undefined
      ? typedDict(name, schema, tags.get(name))
      : `${name}: TypeAlias = Union[\n${schema.oneOf.map((member) => `    ${quoted(pythonType(member))},\n`).join('')}]\n`
  })
  const unnamed = bodies(document).flatMap(([owner, body]) => {
    const inner: string[] = []
    for (const [field, of] of Object.entries(body.properties ?? {}))
      inputType(owner, field, of, inner)
    return inner
  })
  return `${header}from __future__ import annotations\n
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union\n\n${[...types, ...unnamed].join('\n')}`
}

/** An object inside it that refers to another one gets a type of its own. */
function typedDict(name: string, schema: Schema, tag?: string): string {
  const inner: string[] = []
  const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
    const isTag = field === tag
    const own = `${name}${className(field)}`
    const hasOwn = tag !== undefined && Object.values(of.properties ?? {}).some(({ $ref }) => $ref)
    if (hasOwn) inner.push(typedDict(own, of))
    const type = isTag ? literals(of.enum ?? []) : pythonType(of)
    const shown = hasOwn ? own : type
    const isRequired = schema.required?.includes(field) === true
    return `        ${quoted(field)}: ${quoted(isRequired ? shown : `NotRequired[${shown}]`)},\n`
  })
  const dict = `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${fields.join('')}    },\n)\n`
  return [...inner, dict].join('\n')
}

/** The body of each call that has one of its own, under the name of its operation. */
function bodies(document: Document): readonly (readonly [string, Schema])[] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => {
      const schema = bodyOf(operation)
      const isNamed = schema === undefined || schema.$ref !== undefined
      return isNamed ? [] : [[className(operation.operationId), schema] as const]
    })
}

/** The named objects that are sent, also inside others. */
function inputNames({ paths, components }: Document): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (schema: Schema | undefined) => {
    if (schema === undefined) return
    for (const inner of [schema.items, ...Object.values(schema.properties ?? {})]) add(inner)
    const name = schema.$ref?.replace(/^.*\//, '')
    if (name === undefined || names.has(name)) return
    names.add(name)
    add(components.schemas[name])
  }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    add(bodyOf(operation))
  }
  return names
}

/** What is sent is checked closely: every object inside it has a type of its own. */
function inputDict(name: string, schema: Schema): string {
  const inner: string[] = []
  const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
    const type = inputType(name, field, of, inner)
    const isRequired = schema.required?.includes(field) === true
    return `        ${quoted(field)}: ${quoted(isRequired ? type : `NotRequired[${type}]`)},\n`
  })
  const dict = `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${fields.join('')}    },\n)\n`
  return [...inner, dict].join('\n')
}

/** The type of a field that is sent. The objects inside it are added to `inner`. */
function inputType(owner: string, field: string, schema: Schema, inner: string[]): string {
  if (schema.anyOf !== undefined) {
    return union(schema.anyOf.map((one) => inputType(owner, field, one, inner)))
  }
  if (schema.properties !== undefined) {
    const name = `${owner}${className(field)}`
    inner.push(inputDict(name, schema))
    return name
  }
  if (typeof schema.additionalProperties === 'object') {
    return `dict[str, ${pythonType(schema.additionalProperties)}]`
  }
  const isClosed = schema.type === 'string' && schema.enum !== undefined && !schema['x-extensible']
  return isClosed ? literals(schema.enum ?? []) : pythonType(schema)
}

/** Inside a quoted type. */
const literals = (texts: readonly string[]) =>
  `Literal[${texts.map((text) => `'${text}'`).join(', ')}]`

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** Enumerations are open, so their values can be any string. */
function pythonType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '')
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(pythonType))
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => pythonType({ ...schema, type })))
  }
  if (schema.type === 'array') return `list[${pythonType(schema.items ?? {})}]`
  if (schema.type === 'object') return 'dict[str, Any]'
  return scalars[String(schema.type)] ?? 'Any'
}

function union(types: readonly string[]): string {
  const known = new Set(types)
  return known.has('Any') ? 'Any' : [...known].join(' | ')
}

const quoted = (text: string) => JSON.stringify(text)
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const className = (resource: string) => `${resource[0]?.toUpperCase()}${resource.slice(1)}`
const keywords = new Set(['from', 'class', 'import', 'is', 'in', 'global', 'def', 'None'])

/** `created_at[gte]` becomes `created_at_gte`, and `from` becomes `from_`. */
function parameterName(name: string): string {
  const plain = name.replace(/\[(\w+)\]/, '_$1')
  return keywords.has(plain) ? `${plain}_` : plain
}

/** One class per tag, with a method for each operation. */
function resourcesModule(document: Document): string {
  const operations = new Map(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation] as const),
    ),
  )
  const byResource = Map.groupBy(operationRows(document.paths), ([, { resource }]) => resource)
  const classes = [...byResource].map(([resource, rows]) => {
    const methods = rows.map(([id, row]) => methodOf(document, row, operations.get(id)))
    return `class ${className(resource)}:
    def __init__(self, send: Send) -> None:
        self._send = send

${methods.join('\n')}`
  })
  const fields = [...byResource.keys()].map(
    (resource) => `        self.${snake(resource)} = ${className(resource)}(send)\n`,
  )
  return `${header}from __future__ import annotations\n
from collections.abc import Callable
from typing import Any, List, Literal\n
from . import _types as types
from ._pages import Pages
from ._transport import Retry\n\n
class _Omitted:
    def __repr__(self) -> str:
        return "OMITTED"\n\n
OMITTED: Any = _Omitted()\n
Send = Callable[..., Any]\n\n
${classes.join('\n\n')}

class Resources:
    def __init__(self, send: Send) -> None:
${fields.join('')}`
}

type Parameter = { readonly name: string; readonly type: string; readonly isRequired: boolean }

function methodOf(document: Document, row: Row, operation: Operation | undefined): string {
  if (operation === undefined) throw new Error(`${row.path} has no operation`)
  const parameters = parametersOf(document, operation)
  const ordered = [...parameters].sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
  const signature = ordered.map(({ name, type, isRequired }) =>
    isRequired
      ? `        ${parameterName(name)}: ${type},\n`
      : `        ${parameterName(name)}: ${type} = OMITTED,\n`,
  )
  const options = optionsOf(row, operation)
  const fields = parameters.map(
    ({ name }) => `                ${quoted(name)}: ${parameterName(name)},\n`,
  )
  const more = [
    ...(row.hasBody ? ['            has_body=True,\n'] : []),
    ...(row.inQuery === undefined
      ? []
      : [`            in_query=(${row.inQuery.map((name) => `${quoted(name)},`).join(' ')}),\n`]),
    ...(row.takesKey ? ['            takes_key=True,\n'] : []),
    ...options.map((option) => `            ${option}=${option},\n`),
  ]
  const declared = options.map((option) => `        ${option}: ${callOptions[option]},\n`)
  return `    def ${snake(row.name)}(
        self,
        *,
${signature.join('')}${declared.join('')}    ) -> ${resultOf(row, operation)}:
        """${operation.summary}."""
        return self._send(
            ${quoted(row.method)},
            ${quoted(row.path)},
            ${quoted(row.answers)},
            {
${fields.join('')}            },
${more.join('')}        )
`
}

const callOptions = {
  idempotency_key: 'str | None = None',
  scenario: 'str | None = None',
  if_match: 'str | None = None',
  wait: 'bool = True',
  retry: 'Retry | None = None',
  timeout: 'float | None = None',
} as const

/** What a call of this operation can be told besides its fields. */
function optionsOf(row: Row, operation: Operation): readonly (keyof typeof callOptions)[] {
  const headers = new Set(
    (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name),
  )
  return [
    ...(row.takesKey ? (['idempotency_key'] as const) : []),
    ...(headers.has('sandbox-scenario') ? (['scenario'] as const) : []),
    ...(headers.has('if-match') ? (['if_match'] as const) : []),
    ...(row.name === 'getLabel' ? (['wait'] as const) : []),
    'retry',
    'timeout',
  ]
}

function parametersOf(document: Document, operation: Operation): readonly Parameter[] {
  const sent = (operation.parameters ?? [])
    .filter((one) => one.in === 'path' || (one.in === 'query' && !takesText(operation)))
    .map(({ name, schema, required }) => ({
      name,
      type: qualified(pythonType((schema ?? {}) as Schema)),
      isRequired: required === true,
    }))
  const schema = bodyOf(operation)
  const named = schema?.$ref?.replace(/^.*\//, '')
  const body = named === undefined ? schema : document.components.schemas[named]
  const owner = named ?? className(operation.operationId)
  const fields = Object.entries(body?.properties ?? {}).map(([name, of]) => ({
    name,
    type: qualified(inputType(owner, name, of, [])),
    isRequired: body?.required?.includes(name) === true,
  }))
  return [...sent, ...fields]
}

function bodyOf({ requestBody }: Operation): Schema | undefined {
  const body = requestBody as
    | { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } }
    | undefined
  return body?.content['application/json']?.schema
}

function resultOf({ answers }: Row, operation: Operation): string {
  if (answers === 'bytes') return 'bytes'
  if (answers === 'nothing') return 'None'
  const success = Object.entries(operation.responses).find(
    // The answer of a check has a method of its own.
    ([status]) => status.startsWith('2') && !(status === '200' && takesText(operation)),
  )
  const schema = success?.[1].content?.['application/json']?.schema as Schema | undefined
  if (answers === 'json') return qualified(pythonType(schema ?? {}))
  return `Pages[${qualified(pythonType(schema?.properties?.data?.items ?? {}))}]`
}

/** Object types are in the types module. In a class with a method `list`, `list` is not a type. */
function qualified(type: string): string {
  return type
    .replace(/'[^']*'|\b(?!Any\b|None\b|Literal\b)[A-Z]\w+/g, (word) =>
      word.startsWith("'") ? word : `types.${word}`,
    )
    .replace(/\blist\[/g, 'List[')
}

/**
 * Everything except the build system is in setup.cfg: setuptools before 61 does not read
 * `[project]`, and there is no form of the licence that all versions read.
 */
function buildSystem(): string {
  return `${header}[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
`
}

function setupConfig(): string {
  const { name, version, summary, license, classifier, requiresPython } = pythonPackage()
  return `${header}[metadata]
name = ${name}
version = ${version}
description = ${summary}
long_description = file: README.md
long_description_content_type = text/markdown
license = ${license}
classifiers =
    ${classifier}

[options]
packages = shipping_ledger
python_requires = ${requiresPython}

[options.package_data]
shipping_ledger = py.typed
`
}
