/** Names below the prefix of an attempt: what the chunks of a flow share, and what they leave for the last job. */
const PARTS = 'parts/';
/** The prepared tests of one group of traits. */
export const stateName = (group: number): string => `${PARTS}${group}-state`;
/** The places of the genotype that lists and rules have kept. */
export const KEPT_NAME: string = `${PARTS}kept`;
export const partName = (group: number, first: number): string => `${PARTS}${group}-${first}`;
/** The names left out, for all traits together. */
export const LEFT_OUT_NAME = 'left_out';
