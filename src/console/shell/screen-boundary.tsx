import { Alert, Button, Title } from '@mantine/core'
import { QueryClientContext } from '@tanstack/react-query'
import { Component, type ContextType, type ReactNode } from 'react'
import { useLocation } from 'wouter'

/**
 * A screen that fails to render does not take the rest with it. Another address is another screen.
 */
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
    return { error: error ?? 'nothing is known about it' }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Alert className="state failed" color="red" variant="outline">
        <Title order={1} className="state-title">
          This screen could not be drawn
        </Title>
        <p>
          Nothing was changed by it. What this page says of it: <code>{String(error)}</code>
        </p>
        <Button variant="default" onClick={this.again}>
          Try again
        </Button>
      </Alert>
    )
  }

  /** Reloads what failed to render. */
  readonly again = () => {
    // The navigation may show a part of the same data, so it is read again, not only removed.
    void this.context?.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'code' })
    this.setState({ error: null })
  }
}
