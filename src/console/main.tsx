import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/screens.css'
import './styles/notices.css'

const place = document.getElementById('console')
if (place === null) throw new Error('The page has no place for the console.')
// A screen that fails says so itself. Its error may quote what was read, so nobody else is told.
createRoot(place, { onCaughtError: () => {} }).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
