import { defineCollection } from 'astro:content'
import { docsSchema } from '@astrojs/starlight/schema'
import { z } from 'astro/zod'
import { documents } from './markdown/documents.ts'
import type { Sample } from './site-page.ts'

export const collections = {
  docs: defineCollection({
    loader: documents,
    schema: docsSchema({
      extend: z.object({
        /** The document's file; none for pages that are not documents. */
        file: z.string().optional(),
        samples: z.array(z.custom<Sample>()).default([]),
      }),
    }),
  }),
}
