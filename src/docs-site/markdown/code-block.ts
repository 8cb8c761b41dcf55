import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { escaped, unescaped } from './html-text.ts'
import type { Program } from './sample-programs.ts'

/** The language names used in the documents. */
const languages = { sh: bash, http, js: javascript, json, php, python, sql, ts: typescript, yaml }
for (const [name, language] of Object.entries(languages)) {
  highlighter.registerLanguage(name, language)
}

/** A block of code with a button to copy it. */
export function codeBlock(text: string, language: string): string {
  const code = highlighted(text, language)
  return framed(language === 'sh' ? withExports(code) : code, language)
}

function highlighted(text: string, language: string): string {
  const isKnown = highlighter.getLanguage(language) !== undefined
  return isKnown ? highlighter.highlight(text, { language }).value : escaped(text)
}

function framed(code: string, language: string): string {
  const name = language === '' ? 'Code' : `Code: ${language}`
  return (
    `<div class="code not-content"><pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>` +
    `<button type="button" class="copy-code">Copy</button></div>\n`
  )
}

/** What the page needs to replace a variable with the reader's value. */
type Place = { readonly name: string; readonly written: string; readonly quote: string }

function placeFor({ name, written, quote }: Place): string {
  const shown = escaped(written)
  const source = shown.replaceAll('"', '&quot;')
  const quotes = quote.replaceAll('"', '&quot;')
  return `<span class="variable" data-variable="${name}" data-written="${source}" data-quote="${quotes}">${shown}</span>`
}

/** A block of code whose variables the page replaces with the reader's values. */
export function programBlock(program: Program, variables: readonly string[]): string {
  const { source, language, dialect } = program
  const code = highlighted(source, language)
  if (dialect === null) return framed(withShellVariables(code), language)
  const places = new Map(
    variables.flatMap((name) => {
      const written = dialect.variables?.read(name) ?? ''
      // The typed client does not accept an undefined address or key.
      return [`${written} ?? ''`, written].map((form) => [
        highlighted(form, language),
        placeFor({ name, written: form, quote: dialect.quote }),
      ])
    }),
  )
  const any = [...places.keys()]
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  return framed(
    code.replace(new RegExp(any, 'g'), (form) => places.get(form) ?? form),
    language,
  )
}

function withShellVariables(code: string): string {
  return code.replace(/\$([A-Z][A-Z_]+)/g, (written, name: string) =>
    placeFor({ name, written, quote: '' }),
  )
}

/** Marks the values in `export` commands, so that the page can show the reader's. */
function withExports(code: string): string {
  return code.replace(
    /(export<\/span> ([A-Z_]+)=)([^<\n]+)$/gm,
    (_, before: string, name: string, written: string) =>
      before + placeFor({ name, written: unescaped(written), quote: '' }),
  )
}
