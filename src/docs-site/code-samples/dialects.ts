import type { Dialect } from './literal.ts'

export const json: Dialect = {
  indent: '  ',
  object: ['{ ', ' }'],
  member: (name, value) => `"${name}": ${value}`,
  quote: '"',
  hasLastComma: false,
  constants: { true: 'true', false: 'false', null: 'null' },
  variables: null,
}

export const javascript: Dialect = {
  indent: '  ',
  object: ['{ ', ' }'],
  member: (name, value) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${value}`,
  quote: "'",
  hasLastComma: true,
  constants: { true: 'true', false: 'false', null: 'null' },
  variables: { read: (name) => `env.${name}`, plus: ' + ' },
}

export const python: Dialect = {
  indent: '    ',
  object: ['{', '}'],
  member: (name, value) => `"${name}": ${value}`,
  quote: '"',
  hasLastComma: true,
  constants: { true: 'True', false: 'False', null: 'None' },
  variables: { read: (name) => `os.environ["${name}"]`, plus: ' + ' },
}

export const php: Dialect = {
  indent: '    ',
  object: ['[', ']'],
  member: (name, value) => `'${name}' => ${value}`,
  quote: "'",
  hasLastComma: true,
  constants: { true: 'true', false: 'false', null: 'null' },
  variables: { read: (name) => `getenv('${name}')`, plus: ' . ' },
}
