/** What the chunks of a flow share, and what they leave for the last job. Deleted when the run ends. */
const partsPrefix = (prefix: string): string => `${prefix}parts/`;
/** The prepared tests of one group of traits. */
export const stateKey = (prefix: string, group: number): string => `${partsPrefix(prefix)}${group}-state`;
/** The places of the genotype that lists and rules have kept. */
export const keptKey = (prefix: string): string => `${partsPrefix(prefix)}kept`;
export const partKey = (prefix: string, group: number, first: number): string =>
  `${partsPrefix(prefix)}${group}-${first}`;
