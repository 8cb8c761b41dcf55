import { i18n } from '@lingui/core'
import { Alert, Button, Title } from '@mantine/core'
import { QueryClientContext } from '@tanstack/react-query'
import { Component, type ContextType, type ReactNode } from 'react'
import { useLocation } from 'wouter'

/** Contains a screen's render error. Navigating to another address resets it. */
export function ScreenBoundary({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation()
  return <Boundary key={location}>{children}</Boundary>
}

type BoundaryProps = { readonly children: ReactNode }
type BoundaryState = { readonly error: unknown }

class Boundary extends Component<BoundaryProps, BoundaryState> {
  static override readonly contextType = QueryClientContext
  declare context: ContextType<typeof QueryClientContext>
  override state: BoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: error ?? 'unknown' }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Alert>
        <Title order={1} mb="3xs">
          {i18n.t('This screen could not be displayed')}
        </Title>
        <p>
          {i18n.t('No data was changed. Error:')} <code>{String(error)}</code>
        </p>
        <Button variant="default" onClick={this.again}>
          {i18n.t('Try again')}
        </Button>
      </Alert>
    )
  }

  /** Renders the screen again with fresh data. */
  readonly again = () => {
    // The navigation may show some of the same data, so the queries are reset, not only removed.
    void this.context?.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'code' })
    this.setState({ error: null })
  }
}
