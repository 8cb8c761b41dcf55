import type { StoredEvent } from '../../event-store/event-store.ts'

/**
 * Reports erasures of shipments or workspaces under a legal hold. The service refuses them, so the
 * hold had disappeared from the database, or the event was written by hand. Call it with the events
 * in the order of the ledger.
 */
export function holdsCheck(): (event: StoredEvent) => string | null {
  const held = new Set<string>()
  return ({ type, stream, data, metadata }) => {
    switch (type) {
      case 'LegalHoldPlaced':
        held.add(stream)
        return null
      case 'LegalHoldLifted':
        held.delete(stream)
        return null
      case 'WorkspaceHoldPlaced':
        held.add(String(data.workspace_id))
        return null
      case 'WorkspaceHoldLifted':
        held.delete(String(data.workspace_id))
        return null
      case 'PersonalDataErased':
        if (held.has(stream)) return 'personal data was erased while the shipment had a legal hold'
        return held.has(String(metadata.workspace_id))
          ? 'personal data was erased while its workspace had a legal hold'
          : null
      default:
        return null
    }
  }
}
