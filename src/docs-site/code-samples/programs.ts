import { javascript, php, python } from './dialects.ts'
import { literal, textLiteral } from './literal.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * An API call to write as a program. In its strings, `$NAME` stands for the value of that
 * environment variable.
 */
export type Call = {
  /** The method of the typed client. */
  readonly client: { readonly resource: string; readonly name: string }
  readonly method: string
  /** The path with its query. */
  readonly address: string
  /** The input of the typed client: path parameters, query and body fields. */
  readonly fields: Json
  readonly key: string | undefined
  /** The scenario for the simulated courier. */
  readonly scenario?: string | undefined
  readonly body: Json | undefined
  readonly answer: 'json' | 'list' | 'nothing' | { readonly file: string }
  /** The program prints an error response instead of failing. */
  readonly mayBeRefused?: boolean
}

const serviceAddress = '$SHIPPING_LEDGER_URL'
const authorization = 'Bearer $SHIPPING_LEDGER_KEY'

/** How a sample prints. Written like this because this project's own code must not use it. */
const print = 'console.log'

const indented = (lines: readonly string[], by: string) => lines.map((line) => `${by}${line}`)

/** A program for Node. If the call may be refused, it is inside a `try` block. */
export function nodeProgram(call: Call): string {
  const { client, fields, key, scenario, answer, mayBeRefused = false } = call
  const options = {
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(scenario === undefined ? {} : { scenario }),
  }
  const given = [fields, options].filter((each) => Object.keys(each).length > 0)
  const inner = mayBeRefused ? '  ' : ''
  const input = given.map((each) => literal(each, javascript, inner)).join(', ')
  const made = `client.${client.resource}.${client.name}(${input})`
  const lines = {
    json: [`const answer = await ${made}`, `${print}(answer)`],
    list: [`for await (const item of ${made}) {`, `  ${print}(item)`, '}'],
    nothing: [`await ${made}`],
  }
  const isFile = typeof answer === 'object'
  const asked = isFile ? [`await writeFile('${answer.file}', await ${made})`] : lines[answer]
  return [
    ...(isFile ? ["import { writeFile } from 'node:fs/promises'"] : []),
    "import { env } from 'node:process'",
    `import { createClient${mayBeRefused ? ', ShippingLedgerError' : ''} } from 'shipping-ledger/client'`,
    '',
    'const client = createClient({',
    "  baseUrl: env.SHIPPING_LEDGER_URL ?? '',",
    "  apiKey: env.SHIPPING_LEDGER_KEY ?? '',",
    '})',
    ...(mayBeRefused
      ? [
          'try {',
          ...indented(asked, inner),
          '} catch (error) {',
          '  if (!(error instanceof ShippingLedgerError)) throw error',
          `  ${print}({ reason: error.reason, operation_id: error.operationId })`,
          '}',
        ]
      : asked),
  ].join('\n')
}

export function pythonProgram(call: Call): string {
  const { method, address, key, scenario, body, answer, mayBeRefused = false } = call
  const text = (value: string) => textLiteral(value, python)
  const read = {
    json: ['    print(json.load(response))'],
    list: ['    print(json.load(response)["data"])'],
    nothing: ['    print(response.status)'],
  }
  const isFile = typeof answer === 'object'
  const usesJson = body !== undefined || mayBeRefused || answer === 'json' || answer === 'list'
  const asked = [
    'with urlopen(request) as response:',
    ...(isFile
      ? [`    with open("${answer.file}", "wb") as file:`, '        file.write(response.read())']
      : read[answer]),
  ]
  return [
    ...(usesJson ? ['import json'] : []),
    'import os',
    ...(mayBeRefused ? ['from urllib.error import HTTPError'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${text(serviceAddress + address)},`,
    `    method="${method}",`,
    '    headers={',
    `        "Authorization": ${text(authorization)},`,
    ...(key === undefined ? [] : [`        "Idempotency-Key": ${text(key)},`]),
    ...(scenario === undefined ? [] : [`        "Sandbox-Scenario": ${text(scenario)},`]),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${literal(body, python, '    ')}).encode(),`]),
    ')',
    ...(mayBeRefused
      ? [
          'try:',
          ...indented(asked, '    '),
          'except HTTPError as refusal:',
          '    print(json.load(refusal))',
        ]
      : asked),
  ].join('\n')
}

export function phpProgram({ method, address, key, scenario, body, answer }: Call): string {
  const text = (value: string) => textLiteral(value, php)
  const isFile = typeof answer === 'object'
  return [
    '<?php',
    `$curl = curl_init(${text(serviceAddress + address)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_HTTPHEADER => [',
    `        ${text(`Authorization: ${authorization}`)},`,
    ...(key === undefined ? [] : [`        ${text(`Idempotency-Key: ${key}`)},`]),
    ...(scenario === undefined ? [] : [`        ${text(`Sandbox-Scenario: ${scenario}`)},`]),
    ...(body === undefined ? [] : ["        'Content-Type: application/json',"]),
    '    ],',
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, php, '    ')}),`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    isFile ? `file_put_contents('${answer.file}', curl_exec($curl));` : 'echo curl_exec($curl);',
  ].join('\n')
}
