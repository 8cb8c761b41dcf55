import './styles/mantine.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './styles/font.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/picture.css'
import './styles/table.css'
import './styles/screens.css'
import './styles/setup.css'
import './styles/batches.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startLanguage } from './languages/language.ts'
import { forgetOldOrders } from './shipments/unanswered-orders.ts'

const place = document.getElementById('console')
if (place === null) throw new Error('The page has no element for the console.')
// The server writes a new nonce into each response: see src/service/http/service/built-pages.ts.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
forgetOldOrders()
// Without a top-level await, so that the screens' code can share this file's.
void startLanguage().then(() => {
  // A failing screen shows its own error. The error may contain data, so it is not logged.
  createRoot(place, { onCaughtError: () => {} }).render(
    <StrictMode>
      <App styleNonce={styleNonce ?? ''} />
    </StrictMode>,
  )
})
