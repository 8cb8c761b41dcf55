import {
  Alert,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Modal,
  Paper,
  Tooltip,
} from '@mantine/core'

const indigo: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#8a94f7',
  '#6a6ff0',
  '#4f4fd8',
  '#4440b4',
  '#3a3891',
  '#2a2a63',
]

const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e6e9ee',
  '#d8dde4',
  '#c2c9d3',
  '#97a1b0',
  '#667080',
  '#4b5563',
  '#333c49',
  '#1b222d',
]

const dark: MantineColorsTuple = [
  '#dfe3ea',
  '#b4bcc9',
  '#9aa4b4',
  '#5d6777',
  '#3a4250',
  '#2b323d',
  '#1c2129',
  '#13171d',
  '#0e1116',
  '#090b0f',
]

/** Dialogs open without animation. */
const atOnce = { duration: 0 } as const

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 6 },
  colors: { indigo, gray, dark },
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SFMono-Regular", "JetBrains Mono", Menlo, Consolas, monospace',
  spacing: { '3xs': '0.1875rem', '2xs': '0.375rem', xs: '0.625rem', sm: '0.8125rem', md: '1rem' },
  radius: { sm: '0.3125rem' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({
      defaultProps: {
        color: 'red',
        variant: 'outline',
        bg: 'var(--mantine-color-body)',
        px: 'md',
        py: 'sm',
      },
      styles: { message: { color: 'var(--mantine-color-text)' } },
    }),
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    // The screens scroll inside the page, so a dialog has nothing to lock.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, transitionProps: atOnce } }),
    ModalRoot: { defaultProps: { lockScroll: false, transitionProps: atOnce } },
    Spotlight: { defaultProps: { lockScroll: false, transitionProps: atOnce } },
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, withArrow: true, events: hoverAndFocus() },
    }),
  },
})

function hoverAndFocus() {
  return { hover: true, focus: true, touch: false }
}

/** Every pair of text and background has a contrast of 4.5 or more. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b222d',
    '--mantine-color-dimmed': '#5b6575',
    '--mantine-color-placeholder': '#667080',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#4440b4',
  },
  dark: {
    '--mantine-color-body': '#13171d',
    '--mantine-color-text': '#dfe3ea',
    '--mantine-color-dimmed': '#9aa4b4',
    '--mantine-color-placeholder': '#8b95a5',
    '--mantine-color-error': '#ff9a90',
    '--mantine-color-anchor': '#a5b4fc',
  },
})
