/** What the chunks of a flow share, and what they leave for the last job. Deleted when the run ends. */
const partsPrefix = (prefix: string): string => `${prefix}parts/`;
/** The prepared tests of one group of traits. */
export const stateKey = (prefix: string, group: number): string => `${partsPrefix(prefix)}${group}-state`;
export const partKey = (prefix: string, group: number, first: number): string =>
  `${partsPrefix(prefix)}${group}-${first}`;
