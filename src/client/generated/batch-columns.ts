// Generated from docs/openapi.json and the columns of a CSV by `npm run generate`.
export const batchColumns = [
  {
    "name": "idempotency_key",
    "pointer": "/idempotency_key",
    "type": "text",
    "choices": [],
    "isRequired": false,
    "maxLength": 255,
    "pattern": "^[\\x21-\\x7e]+$",
    "description": "The line's idempotency key, 1 to 255 visible ASCII characters. If it is empty, the batch derives one.",
    "example": null
  },
  {
    "name": "external_reference",
    "pointer": "/external_reference",
    "type": "text",
    "choices": [],
    "isRequired": true,
    "maxLength": 255,
    "description": "Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.",
    "example": "order-5001"
  },
  {
    "name": "workspace_id",
    "pointer": "/workspace_id",
    "type": "id",
    "choices": [],
    "isRequired": false,
    "prefix": "ws",
    "description": "The shop that ships.",
    "example": "ws_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "courier_connection_id",
    "pointer": "/courier_connection_id",
    "type": "id",
    "choices": [],
    "isRequired": false,
    "prefix": "ccn",
    "description": "The account at the courier, a connection of the same workspace.",
    "example": "ccn_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "origin_agency_id",
    "pointer": "/origin/agency_id",
    "type": "id",
    "choices": [],
    "isRequired": true,
    "prefix": "agy",
    "description": "The agency that takes the parcel in: one with the capability `drop_off`. An agency of the connection's courier, from `GET /v1/agencies`.",
    "example": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "destination_agency_id",
    "pointer": "/destination/agency_id",
    "type": "id",
    "choices": [],
    "isRequired": true,
    "prefix": "agy",
    "description": "The agency where the recipient collects it: one with the capability `pickup`. An agency of the connection's courier, from `GET /v1/agencies`.",
    "example": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
  },
  {
    "name": "product_id",
    "pointer": "/package/product_id",
    "type": "id",
    "choices": [],
    "isRequired": true,
    "prefix": "pkg",
    "description": "The kind of parcel, from `GET /v1/package-products`.",
    "example": "pkg_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "quantity",
    "pointer": "/package/quantity",
    "type": "integer",
    "choices": [],
    "isRequired": true,
    "minimum": 1,
    "maximum": 99,
    "description": "How many pieces of this weight and size there are, from 1 to 99.",
    "example": 1
  },
  {
    "name": "weight_kg",
    "pointer": "/package/weight_kg",
    "type": "decimal",
    "choices": [],
    "isRequired": true,
    "exclusiveMinimum": 0,
    "maximum": 100000,
    "description": "The weight of a piece in kilograms, with at most three decimals.",
    "example": 0.8
  },
  {
    "name": "height_m",
    "pointer": "/package/height_m",
    "type": "decimal",
    "choices": [],
    "isRequired": true,
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The height of a piece in meters, with at most three decimals.",
    "example": 0.05
  },
  {
    "name": "length_m",
    "pointer": "/package/length_m",
    "type": "decimal",
    "choices": [],
    "isRequired": true,
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The length of a piece in meters, with at most three decimals.",
    "example": 0.2
  },
  {
    "name": "width_m",
    "pointer": "/package/width_m",
    "type": "decimal",
    "choices": [],
    "isRequired": true,
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The width of a piece in meters, with at most three decimals.",
    "example": 0.15
  },
  {
    "name": "service_mode",
    "pointer": "/service/mode",
    "type": "choice",
    "choices": [
      "terrestrial",
      "air"
    ],
    "isRequired": true,
    "description": "How the parcel travels.",
    "example": "terrestrial"
  },
  {
    "name": "payer",
    "pointer": "/service/payer",
    "type": "choice",
    "choices": [
      "sender",
      "recipient"
    ],
    "isRequired": true,
    "description": "Who pays the courier.",
    "example": "sender"
  },
  {
    "name": "declared_content",
    "pointer": "/declared_content",
    "type": "text",
    "choices": [],
    "isRequired": true,
    "maxLength": 500,
    "description": "What is in the parcel, as declared to the courier.",
    "example": "Books"
  },
  {
    "name": "document_type",
    "pointer": "/recipient/document_type",
    "type": "choice",
    "choices": [
      "DNI",
      "CE",
      "RUC",
      "PASSPORT"
    ],
    "isRequired": true,
    "description": "The kind of identity document. `RUC` is a tax number.",
    "example": "DNI"
  },
  {
    "name": "document",
    "pointer": "/recipient/document",
    "type": "text",
    "choices": [],
    "isRequired": true,
    "maxLength": 20,
    "description": "Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.",
    "example": "45678912"
  },
  {
    "name": "first_name",
    "pointer": "/recipient/first_name",
    "type": "text",
    "choices": [],
    "isRequired": true,
    "maxLength": 100,
    "description": "The given names.",
    "example": "Ana"
  },
  {
    "name": "last_name",
    "pointer": "/recipient/last_name",
    "type": "text",
    "choices": [],
    "isRequired": true,
    "maxLength": 100,
    "description": "The family names.",
    "example": "Torres"
  },
  {
    "name": "quote_id",
    "pointer": "/quote_id",
    "type": "id",
    "choices": [],
    "isRequired": false,
    "prefix": "quo",
    "description": "A quote of the same connection, agencies and package: the guide is made at its price or not at all. Absent or `null`: at whatever price the courier asks.",
    "example": null
  }
] as const
export const metadataPrefix = "metadata."
export const documentForms = {
  "DNI": {
    "pattern": "^[0-9]{8}$",
    "form": "8 digits"
  },
  "CE": {
    "pattern": "^[0-9A-Z]{9,12}$",
    "form": "9 to 12 letters or digits"
  },
  "RUC": {
    "pattern": "^(?:10|15|16|17|20)[0-9]{9}$",
    "form": "11 digits, the last one a check digit"
  },
  "PASSPORT": {
    "pattern": "^[0-9A-Z]{6,12}$",
    "form": "6 to 12 letters or digits"
  }
} as const
