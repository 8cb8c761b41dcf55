import { exampleCall, type Operation } from '../../src/docs-site/code-samples/operation-samples.ts'

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation & Summary>>>>
}
type Summary = { readonly summary: string }

/** A call of each operation for the HTTP clients of editors, with the document's examples. */
export function httpCollection(document: Described): string {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(method, path, operation)),
  )
  return `# Generated from docs/openapi.json by \`npm run generate\`. Open it in an editor with an HTTP client
# (VS Code with REST Client, IntelliJ, Zed), put in a test key, and replace the ids by your own.
@url = http://127.0.0.1:3000
@key = svc_test_replace_me

${requests.join('\n')}`
}

function requestOf(method: string, path: string, operation: Operation & Summary): string {
  const { address, key, body } = exampleCall(method.toUpperCase(), path, operation)
  const lines = [
    `### ${operation.summary}`,
    `# @name ${operation.operationId}`,
    `${method.toUpperCase()} {{url}}${address}`,
    'Authorization: Bearer {{key}}',
    ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
  ]
  return `${lines.join('\n')}\n`
}
