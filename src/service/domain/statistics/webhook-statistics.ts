/** The columns of `webhook_statistics` that a row is found by, and the sums. */
export const webhookStatistics = {
  key: ['endpoint_id', 'at', 'is_hour'],
  columns: [
    'endpoint_id',
    'organization_id',
    'workspace_id',
    'livemode',
    'at',
    'is_hour',
    'counts',
  ],
} as const
