import type { LabelStyle } from '../../src/service/processes/documents/print-messages.ts'
import type { LabelContent } from '../../src/simulator/simulated-label.ts'

/** Labels as a request without parameters prints them. */
export const plain: LabelStyle = {
  layout: 'a6',
  size: 'a6',
  format: 'pdf',
  dpi: 203,
  language: 'en',
}

const agency = {
  code: 'a1',
  capabilities: [],
  name: 'Trujillo Centro',
  address: 'Jr. Pizarro 123',
  district: 'Trujillo',
  province: 'Trujillo',
  department: 'La Libertad',
}
/** What is on a label. */
export const content: LabelContent = {
  guideNumber: 'SIM4567890123456',
  recipient: 'Ana Torres',
  document: 'DNI 45678912',
  origin: agency,
  destination: agency,
  serviceMode: 'agency',
  weightKg: 0.8,
  quantity: 1,
}
