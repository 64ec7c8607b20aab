import { defineOptions } from './define-options.ts';

/** How the chromosomes of polyploids pair, in the order of `heterosis cross`. */
export const POLYPLOID_CROSSING_OPTIONS = defineOptions({
  pairing: {
    kind: 'choice',
    choices: ['bivalent', 'quadrivalent'],
    default: 'bivalent',
    about:
      'How the homologs of polyploids pair. Bivalents: any two alike. Quadrivalents, in tetraploids: gametes can have two copies of one allele (double reduction), the more the farther from the centromere.',
    only: { place: 'cli', why: 'The pages take diploids.' },
    input: false,
  },
  double_reduction: {
    kind: 'number',
    min: 0,
    max: 0.142_857_142_857_142_85,
    about:
      'Double reduction of --pairing quadrivalent far from the centromere, at most 1/7 (the default), which all chromosomes in quadrivalents have: 7 times this is the share of quadrivalents.',
    only: { place: 'cli', why: 'The pages take diploids.' },
    input: false,
    needs: {
      pairing: {
        message: '--double-reduction is about --pairing quadrivalent: bivalents have none.',
        action: 'Add --pairing quadrivalent, or leave it out.',
      },
    },
  },
  centromeres: {
    kind: 'text',
    about:
      'Table of the centromeres: columns chromosome and cM, on the scale of the map. Default: the middle of the markers with an effect of each chromosome. Matters for quadrivalents.',
    only: { place: 'cli', why: 'The pages take diploids.' },
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
    needs: {
      pairing: {
        message: '--centromeres is about --pairing quadrivalent.',
        action: 'Add --pairing quadrivalent, or leave it out.',
      },
    },
  },
});
