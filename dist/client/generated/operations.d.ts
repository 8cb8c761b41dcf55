export declare const operations: {
    readonly createWorkspace: {
        readonly resource: "workspaces";
        readonly name: "create";
        readonly method: "POST";
        readonly path: "/v1/workspaces";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: true;
    };
    readonly listWorkspaces: {
        readonly resource: "workspaces";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/workspaces";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getWorkspace: {
        readonly resource: "workspaces";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/workspaces/{id}";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly updateWorkspace: {
        readonly resource: "workspaces";
        readonly name: "update";
        readonly method: "PATCH";
        readonly path: "/v1/workspaces/{id}";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: false;
    };
    readonly createCourierConnection: {
        readonly resource: "courierConnections";
        readonly name: "create";
        readonly method: "POST";
        readonly path: "/v1/courier-connections";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: true;
    };
    readonly listCourierConnections: {
        readonly resource: "courierConnections";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/courier-connections";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getCourierConnection: {
        readonly resource: "courierConnections";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/courier-connections/{id}";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly updateCourierConnection: {
        readonly resource: "courierConnections";
        readonly name: "update";
        readonly method: "PATCH";
        readonly path: "/v1/courier-connections/{id}";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: false;
    };
    readonly deleteCourierConnection: {
        readonly resource: "courierConnections";
        readonly name: "delete";
        readonly method: "DELETE";
        readonly path: "/v1/courier-connections/{id}";
        readonly answers: "nothing";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly verifyCourierConnection: {
        readonly resource: "courierConnections";
        readonly name: "verify";
        readonly method: "POST";
        readonly path: "/v1/courier-connections/{id}/verify";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listCouriers: {
        readonly resource: "couriers";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/couriers";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listAgencies: {
        readonly resource: "couriers";
        readonly name: "listAgencies";
        readonly method: "GET";
        readonly path: "/v1/agencies";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getAgency: {
        readonly resource: "couriers";
        readonly name: "getAgency";
        readonly method: "GET";
        readonly path: "/v1/agencies/{id}";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listPackageProducts: {
        readonly resource: "couriers";
        readonly name: "listPackageProducts";
        readonly method: "GET";
        readonly path: "/v1/package-products";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getKey: {
        readonly resource: "keys";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/key";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly createShipment: {
        readonly resource: "shipments";
        readonly name: "create";
        readonly method: "POST";
        readonly path: "/v1/shipments";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: true;
    };
    readonly listShipments: {
        readonly resource: "shipments";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/shipments";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getShipment: {
        readonly resource: "shipments";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/shipments/{id}";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listShipmentEvents: {
        readonly resource: "ledger";
        readonly name: "listShipmentEvents";
        readonly method: "GET";
        readonly path: "/v1/shipments/{id}/events";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getTracking: {
        readonly resource: "tracking";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/shipments/{id}/tracking";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listDocuments: {
        readonly resource: "documents";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/shipments/{id}/documents";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getLabel: {
        readonly resource: "documents";
        readonly name: "getLabel";
        readonly method: "GET";
        readonly path: "/v1/shipments/{id}/documents/label";
        readonly answers: "bytes";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly listOperations: {
        readonly resource: "operations";
        readonly name: "list";
        readonly method: "GET";
        readonly path: "/v1/operations";
        readonly answers: "list";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getOperation: {
        readonly resource: "operations";
        readonly name: "get";
        readonly method: "GET";
        readonly path: "/v1/operations/{id}";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly lookAtOperation: {
        readonly resource: "operations";
        readonly name: "lookAt";
        readonly method: "POST";
        readonly path: "/v1/operations/{id}/look";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly resolveOperation: {
        readonly resource: "operations";
        readonly name: "resolve";
        readonly method: "POST";
        readonly path: "/v1/operations/{id}/resolve";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: false;
    };
    readonly listSandboxScenarios: {
        readonly resource: "sandbox";
        readonly name: "listScenarios";
        readonly method: "GET";
        readonly path: "/v1/sandbox/scenarios";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly getSandboxClock: {
        readonly resource: "sandbox";
        readonly name: "getClock";
        readonly method: "GET";
        readonly path: "/v1/sandbox/clock";
        readonly answers: "json";
        readonly hasBody: false;
        readonly takesKey: false;
    };
    readonly advanceSandboxClock: {
        readonly resource: "sandbox";
        readonly name: "advanceClock";
        readonly method: "POST";
        readonly path: "/v1/sandbox/clock/advance";
        readonly answers: "json";
        readonly hasBody: true;
        readonly takesKey: false;
    };
};
