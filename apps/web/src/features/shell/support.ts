/** The documentation that this installation serves itself. */
export const SUPPORT_URL = '/api/docs';

/** SPEC §9: the displayed version. */
export const PRODUCT_VERSION = '1.0.0';
