import { ServiceText } from '../parts/service-text.tsx'
import { sentenceWords } from './service-sentences.ts'

/** A sentence of the service in the current language if these pages know it, else as it is. */
export function ServiceSentence({ children }: { readonly children: string }) {
  return sentenceWords(children) ?? <ServiceText>{children}</ServiceText>
}
