import type { App } from '../api-services.ts'
import { type WorkspaceHoldDeps, workspaceHoldRoute } from './place-workspace-hold.ts'

export function liftWorkspaceHoldRoute(app: App, deps: WorkspaceHoldDeps): void {
  workspaceHoldRoute(app, deps, 'lift_hold', {
    url: '/v1/workspaces/:id/release-hold',
    schema: {
      operationId: 'liftWorkspaceHold',
      summary: 'Lift the legal hold on a workspace',
      description:
        'Shipments with a hold of their own stay on hold. Retention resumes and erases what has become due in the meantime. Repeating the call changes nothing.',
    },
  })
}
