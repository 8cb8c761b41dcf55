import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { noncePlaceholder } from './folders.ts'

/** Before compression. `test/http/console.test.ts` limits what is sent. */
const chunkKilobytesMax = 1_000

/** The Vite settings that all builds share. */
export function viteSettings(root: string, base: string): InlineConfig {
  return {
    configFile: false,
    root,
    base,
    publicDir: false,
    // Only what compiling needs: the build does not check types, and the image's build folder does
    // not have the project's own settings.
    tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    logLevel: 'warn',
    html: { cspNonce: noncePlaceholder },
    build: {
      emptyOutDir: true,
      target: 'es2023',
      // These support light-dark(), so it stays as it is.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // The content security policy refuses inlined assets.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: chunkKilobytesMax,
      rolldownOptions: {
        onwarn(warning, warn) {
          // Components declare where they run under server rendering, which does not apply here.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
    },
  }
}
