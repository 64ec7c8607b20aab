/** The version that the footer shows. */
export const PRODUCT_VERSION = '1.0.0';
