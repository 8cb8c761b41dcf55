import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { noncePlaceholder } from './folders.ts'

/** Not compressed. `test/http/console.test.ts` limits what is sent. */
const chunkKilobytesMax = 1_000

/** What every build of pages for the browser has in common. */
export function viteSettings(root: string, base: string): InlineConfig {
  return {
    configFile: false,
    root,
    base,
    publicDir: false,
    // Only what compiling needs: the build does not check types, and the folder in which the
    // image is built does not have the project's own settings.
    tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    logLevel: 'warn',
    html: { cspNonce: noncePlaceholder },
    build: {
      emptyOutDir: true,
      target: 'es2023',
      // These know light-dark(). Rewritten, it would need variables, which the styles of the
      // reference's renderer use too.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // The content security policy refuses inlined assets.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: chunkKilobytesMax,
      rolldownOptions: {
        onwarn(warning, warn) {
          // Components declare where they may run under server rendering, which is of no use here.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
    },
  }
}
