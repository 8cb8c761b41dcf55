// Generated from the tables in src/service/sheets by `npm run generate`.
import type { SheetFields } from './sheet-fields.ts'

/** The fields of a batch's line. */
export const batchFields: SheetFields = {
  "/idempotency_key": {
    "label": "Idempotency key",
    "column": "idempotency_key"
  },
  "/external_reference": {
    "label": "Order",
    "column": "external_reference",
    "example": "order-5001"
  },
  "/workspace_id": {
    "label": "Workspace",
    "column": "workspace_id"
  },
  "/courier_connection_id": {
    "label": "Courier connection",
    "column": "courier_connection_id"
  },
  "/origin/agency_id": {
    "label": "Origin agency",
    "column": "origin_agency",
    "idColumn": "origin_agency_id",
    "kind": "agency",
    "example": "Agencia Lima Norte"
  },
  "/destination/agency_id": {
    "label": "Destination agency",
    "column": "destination_agency",
    "idColumn": "destination_agency_id",
    "kind": "agency",
    "example": "Agencia Miraflores, Arequipa"
  },
  "/package/product_id": {
    "label": "Kind of parcel",
    "column": "product",
    "idColumn": "product_id",
    "kind": "product",
    "example": "Box XXS"
  },
  "/package/quantity": {
    "label": "Pieces",
    "column": "quantity",
    "example": "1"
  },
  "/package/weight_kg": {
    "label": "Weight",
    "column": "weight",
    "units": [
      "kg",
      "g"
    ],
    "example": "0.8"
  },
  "/package/height_m": {
    "label": "Height",
    "column": "height",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.05"
  },
  "/package/length_m": {
    "label": "Length",
    "column": "length",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.2"
  },
  "/package/width_m": {
    "label": "Width",
    "column": "width",
    "units": [
      "m",
      "cm",
      "mm"
    ],
    "example": "0.15"
  },
  "/service/mode": {
    "label": "Service",
    "column": "service_mode",
    "choices": [
      "terrestrial",
      "air"
    ],
    "example": "terrestrial"
  },
  "/service/payer": {
    "label": "Who pays",
    "column": "payer",
    "choices": [
      "sender",
      "recipient"
    ],
    "example": "sender"
  },
  "/declared_content": {
    "label": "Content",
    "column": "declared_content",
    "example": "Books"
  },
  "/recipient/document_type": {
    "label": "Document type",
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
    "label": "Document number",
    "column": "document",
    "example": "45678912"
  },
  "/recipient/first_name": {
    "label": "Given names",
    "column": "first_name",
    "example": "Ana"
  },
  "/recipient/last_name": {
    "label": "Family names",
    "column": "last_name",
    "example": "Torres"
  },
  "/quote_id": {
    "label": "Quote",
    "column": "quote_id"
  }
}

/** The fields of an invoice's line. */
export const invoiceFields: SheetFields = {
  "/guide_number": {
    "label": "Guide",
    "column": "guide_number",
    "example": "100000000001"
  },
  "/amount": {
    "label": "Amount",
    "column": "amount",
    "kind": "money",
    "example": "14.50"
  },
  "/currency": {
    "label": "Currency",
    "column": "currency",
    "example": "PEN"
  },
  "/weight_kg": {
    "label": "Weight",
    "column": "weight",
    "units": [
      "kg",
      "g"
    ],
    "example": "0.8"
  },
  "/date": {
    "label": "Date",
    "column": "date",
    "example": "2026-03-01"
  },
  "/client_reference": {
    "label": "Reference",
    "column": "client_reference",
    "example": "shp_0aB1cD2eF3gH4iJ5kL6mN7"
  }
}
