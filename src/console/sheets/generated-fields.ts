// Generated from the tables in src/service/sheets by `npm run generate`.
import type { SheetFields } from './sheet-field.ts'

/** The fields of a batch's line. */
export const batchFields = {
  "/idempotency_key": {
    "column": "idempotency_key"
  },
  "/external_reference": {
    "column": "external_reference",
    "example": "order-5001"
  },
  "/workspace_id": {
    "column": "workspace_id"
  },
  "/courier_connection_id": {
    "column": "courier_connection_id"
  },
  "/origin/agency_id": {
    "column": "origin_agency",
    "idColumn": "origin_agency_id",
    "kind": "agency",
    "example": "Agencia Lima Norte"
  },
  "/destination/agency_id": {
    "column": "destination_agency",
    "idColumn": "destination_agency_id",
    "kind": "agency",
    "example": "Agencia Miraflores, Arequipa"
  },
  "/package/product_id": {
    "column": "product",
    "idColumn": "product_id",
    "kind": "product",
    "example": "Box XXS"
  },
  "/package/quantity": {
    "column": "quantity",
    "example": "1"
  },
  "/package/weight_kg": {
    "column": "weight",
    "units": [
      "kg",
      "g"
    ],
    "example": "0.8"
  },
  "/package/height_m": {
    "column": "height",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.05"
  },
  "/package/length_m": {
    "column": "length",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.2"
  },
  "/package/width_m": {
    "column": "width",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.15"
  },
  "/service/mode": {
    "column": "service_mode",
    "choices": [
      "terrestrial",
      "air"
    ],
    "example": "terrestrial"
  },
  "/service/payer": {
    "column": "payer",
    "choices": [
      "sender",
      "recipient"
    ],
    "example": "sender"
  },
  "/declared_content": {
    "column": "declared_content",
    "example": "Books"
  },
  "/recipient/document_type": {
    "column": "document_type",
    "choices": [
      "DNI",
      "CE",
      "RUC",
      "PASSPORT"
    ],
    "example": "DNI"
  },
  "/recipient/document": {
    "column": "document",
    "example": "45678912"
  },
  "/recipient/first_name": {
    "column": "first_name",
    "example": "Ana"
  },
  "/recipient/last_name": {
    "column": "last_name",
    "example": "Torres"
  },
  "/recipient/phone": {
    "column": "recipient_phone"
  },
  "/recipient/email": {
    "column": "recipient_email"
  },
  "/quote_id": {
    "column": "quote_id"
  },
  "/declared_value/amount": {
    "column": "declared_value",
    "kind": "money"
  },
  "/declared_value/currency": {
    "column": "declared_value_currency"
  },
  "/cash_on_delivery/amount": {
    "column": "cash_on_delivery",
    "kind": "money"
  },
  "/cash_on_delivery/currency": {
    "column": "cash_on_delivery_currency"
  }
} as const satisfies SheetFields

/** The fields of an invoice's line. */
export const invoiceFields = {
  "/guide_number": {
    "column": "guide_number",
    "example": "100000000001"
  },
  "/amount": {
    "column": "amount",
    "kind": "money",
    "example": "14.50"
  },
  "/currency": {
    "column": "currency",
    "example": "PEN"
  },
  "/weight_kg": {
    "column": "weight",
    "units": [
      "kg",
      "g"
    ],
    "example": "0.8"
  },
  "/date": {
    "column": "date",
    "example": "2026-03-01"
  },
  "/client_reference": {
    "column": "client_reference",
    "example": "shp_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  "/kind": {
    "column": "kind",
    "choices": [
      "charge",
      "cash_on_delivery"
    ],
    "example": "charge"
  }
} as const satisfies SheetFields
