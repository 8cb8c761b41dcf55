import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/screens.css'

const place = document.getElementById('console')
if (place === null) throw new Error('The page has no place for the console.')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
