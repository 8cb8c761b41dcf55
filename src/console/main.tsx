import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/screens.css'
import './styles/notices.css'

const place = document.getElementById('console')
if (place === null) throw new Error('The page has no element for the console.')
// A failing screen shows its own error. The error may quote data, so it is not reported elsewhere.
createRoot(place, { onCaughtError: () => {} }).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
