/**
 * Marks everything that Parley sends. A Parley server that receives it refuses the request: a webhook that points at the
 * API of the installation it belongs to would otherwise cause events without end, also through a proxy.
 */
export const DELIVERY_HEADER = "parley-delivery";
