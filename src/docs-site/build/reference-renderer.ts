import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** What the script begins with: it writes its styles into a style element. */
const styleElement =
  /^\(function\(\)\{try\{if\(typeof document<`u`\)\{[^`]*`style`.{0,200}?createTextNode\(`((?:[^`\\]|\\.)*)`\)\),document\.head\.appendChild\(e\)\}\}catch\(e\)\{[^}]*\}\}\)\(\);/s

/**
 * Scalar, which draws the API reference. Its package has it only as the answer of a server. Its
 * styles become a file, as the content security policy wants them.
 */
export async function referenceRenderer(): Promise<{ script: string; styles: string }> {
  const server = Fastify()
  await server.register(scalar, { routePrefix: '/it', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject({ url: '/it/js/scalar.js' })
  await server.close()
  const [first = '', styles] = styleElement.exec(body) ?? []
  if (statusCode !== 200 || styles === undefined)
    throw new Error('The renderer of the reference has another form.')
  return {
    script: body.slice(first.length).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
    styles: styles.replace(/\\(.)/gs, '$1'),
  }
}
