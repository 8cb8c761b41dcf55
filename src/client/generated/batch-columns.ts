// Generated from docs/openapi.json and the columns of a CSV by `npm run generate`.
export const batchColumns = [
  {
    "name": "idempotency_key",
    "otherNames": [
      "clave_idempotencia"
    ],
    "pointer": "/idempotency_key",
    "choices": [],
    "isRequired": false,
    "type": "text",
    "maxLength": 255,
    "pattern": "^[\\x21-\\x7e]+$",
    "description": "The line's idempotency key, 1 to 255 visible ASCII characters. If it is empty, the batch derives one.",
    "example": null
  },
  {
    "name": "external_reference",
    "otherNames": [
      "reference",
      "order",
      "order_id",
      "pedido",
      "orden",
      "referencia"
    ],
    "pointer": "/external_reference",
    "choices": [],
    "isRequired": true,
    "type": "text",
    "maxLength": 255,
    "description": "Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.",
    "example": "order-5001"
  },
  {
    "name": "workspace_id",
    "otherNames": [
      "id_tienda"
    ],
    "pointer": "/workspace_id",
    "choices": [],
    "isRequired": false,
    "type": "id",
    "prefix": "ws",
    "description": "The shop that ships.",
    "example": "ws_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "courier_connection_id",
    "otherNames": [
      "id_conexion"
    ],
    "pointer": "/courier_connection_id",
    "choices": [],
    "isRequired": false,
    "type": "id",
    "prefix": "ccn",
    "description": "The account at the courier, a connection of the same workspace.",
    "example": "ccn_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "origin_agency_id",
    "otherNames": [
      "id_agencia_origen",
      "id_origen"
    ],
    "pointer": "/origin/agency_id",
    "choices": [],
    "isRequired": true,
    "type": "id",
    "prefix": "agy",
    "description": "The agency that takes the parcel in: one with the capability `drop_off`. An agency of the connection's courier, from `GET /v1/agencies`.",
    "example": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "origin_agency",
    "otherNames": [
      "origin",
      "origen",
      "agencia_origen"
    ],
    "pointer": "/origin/agency_id",
    "choices": [],
    "isRequired": true,
    "type": "name",
    "prefix": "agy",
    "description": "The name of the agency that takes the parcel in, in place of its id. If several have the name: the name and the district.",
    "example": "Agencia Lima Norte"
  },
  {
    "name": "destination_agency_id",
    "otherNames": [
      "id_agencia_destino",
      "id_destino"
    ],
    "pointer": "/destination/agency_id",
    "choices": [],
    "isRequired": true,
    "type": "id",
    "prefix": "agy",
    "description": "The agency where the recipient collects it: one with the capability `pickup`. An agency of the connection's courier, from `GET /v1/agencies`.",
    "example": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
  },
  {
    "name": "destination_agency",
    "otherNames": [
      "destination",
      "destino",
      "agencia_destino"
    ],
    "pointer": "/destination/agency_id",
    "choices": [],
    "isRequired": true,
    "type": "name",
    "prefix": "agy",
    "description": "The name of the agency where the recipient collects it, in place of its id.",
    "example": "Agencia Miraflores, Arequipa"
  },
  {
    "name": "product_id",
    "otherNames": [
      "package_product_id",
      "id_producto"
    ],
    "pointer": "/package/product_id",
    "choices": [],
    "isRequired": true,
    "type": "id",
    "prefix": "pkg",
    "description": "The kind of parcel, from `GET /v1/package-products`.",
    "example": "pkg_0aB1cD2eF3gH4iJ5kL6mN7"
  },
  {
    "name": "product",
    "otherNames": [
      "package_product",
      "producto",
      "tipo_paquete"
    ],
    "pointer": "/package/product_id",
    "choices": [],
    "isRequired": true,
    "type": "name",
    "prefix": "pkg",
    "description": "The name of the kind of parcel, in place of its id.",
    "example": "Box XXS"
  },
  {
    "name": "quantity",
    "otherNames": [
      "pieces",
      "cantidad",
      "bultos"
    ],
    "pointer": "/package/quantity",
    "choices": [],
    "isRequired": true,
    "type": "integer",
    "minimum": 1,
    "maximum": 99,
    "description": "How many pieces of this weight and size there are, from 1 to 99.",
    "example": 1
  },
  {
    "name": "weight_kg",
    "otherNames": [
      "peso_kg"
    ],
    "pointer": "/package/weight_kg",
    "choices": [],
    "isRequired": true,
    "type": "decimal",
    "exclusiveMinimum": 0,
    "maximum": 100000,
    "description": "The weight of a piece in kilograms, with at most three decimals.",
    "example": 0.8
  },
  {
    "name": "height_m",
    "otherNames": [
      "alto_m",
      "altura_m"
    ],
    "pointer": "/package/height_m",
    "choices": [],
    "isRequired": true,
    "type": "decimal",
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The height of a piece in meters, with at most three decimals.",
    "example": 0.05
  },
  {
    "name": "length_m",
    "otherNames": [
      "largo_m"
    ],
    "pointer": "/package/length_m",
    "choices": [],
    "isRequired": true,
    "type": "decimal",
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The length of a piece in meters, with at most three decimals.",
    "example": 0.2
  },
  {
    "name": "width_m",
    "otherNames": [
      "ancho_m"
    ],
    "pointer": "/package/width_m",
    "choices": [],
    "isRequired": true,
    "type": "decimal",
    "exclusiveMinimum": 0,
    "maximum": 1000,
    "description": "The width of a piece in meters, with at most three decimals.",
    "example": 0.15
  },
  {
    "name": "service_mode",
    "otherNames": [
      "mode",
      "service",
      "servicio",
      "modo"
    ],
    "pointer": "/service/mode",
    "choices": [
      "terrestrial",
      "air"
    ],
    "otherWords": {
      "terrestrial": [
        "terrestre"
      ],
      "air": [
        "aéreo"
      ]
    },
    "isRequired": true,
    "type": "choice",
    "description": "How the parcel travels.",
    "example": "terrestrial"
  },
  {
    "name": "payer",
    "otherNames": [
      "service_payer",
      "paid_by",
      "pagador",
      "pago",
      "quien_paga"
    ],
    "pointer": "/service/payer",
    "choices": [
      "sender",
      "recipient"
    ],
    "otherWords": {
      "sender": [
        "remitente"
      ],
      "recipient": [
        "destinatario"
      ]
    },
    "isRequired": true,
    "type": "choice",
    "description": "Who pays the courier.",
    "example": "sender"
  },
  {
    "name": "declared_content",
    "otherNames": [
      "content",
      "contents",
      "contenido",
      "contenido_declarado"
    ],
    "pointer": "/declared_content",
    "choices": [],
    "isRequired": true,
    "type": "text",
    "maxLength": 500,
    "description": "What is in the parcel, as declared to the courier.",
    "example": "Books"
  },
  {
    "name": "document_type",
    "otherNames": [
      "tipo_documento",
      "tipo_doc",
      "doc_type"
    ],
    "pointer": "/recipient/document_type",
    "choices": [
      "DNI",
      "CE",
      "RUC",
      "PASSPORT"
    ],
    "otherWords": {
      "CE": [
        "carné de extranjería",
        "carnet de extranjería"
      ],
      "PASSPORT": [
        "pasaporte"
      ]
    },
    "isRequired": true,
    "type": "choice",
    "description": "The kind of identity document. `RUC` is a tax number.",
    "example": "DNI"
  },
  {
    "name": "document",
    "otherNames": [
      "dni",
      "documento",
      "doc"
    ],
    "pointer": "/recipient/document",
    "choices": [],
    "isRequired": true,
    "type": "text",
    "maxLength": 20,
    "description": "Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.",
    "example": "45678912"
  },
  {
    "name": "first_name",
    "otherNames": [
      "first_names",
      "given_name",
      "nombre",
      "nombres"
    ],
    "pointer": "/recipient/first_name",
    "choices": [],
    "isRequired": true,
    "type": "text",
    "maxLength": 100,
    "description": "The given names.",
    "example": "Ana"
  },
  {
    "name": "last_name",
    "otherNames": [
      "last_names",
      "surname",
      "family_name",
      "apellido",
      "apellidos"
    ],
    "pointer": "/recipient/last_name",
    "choices": [],
    "isRequired": true,
    "type": "text",
    "maxLength": 100,
    "description": "The family names.",
    "example": "Torres"
  },
  {
    "name": "quote_id",
    "otherNames": [
      "id_cotizacion"
    ],
    "pointer": "/quote_id",
    "choices": [],
    "isRequired": false,
    "type": "id",
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
export const spreadsheetErrors = "^(?:#N\\/[AD]|#¡?REF!|#VALUE!|#¡VALOR!|#NAME\\?|#¿NOMBRE\\?|#¡?DIV\\/0!|#ERROR!|#¡?NUM!|#NULL!|#¡NULO!|#SPILL!|#¡DESBORDAMIENTO!|#CALC!|#¡CALC!|#####+)$"
