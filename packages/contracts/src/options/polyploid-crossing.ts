import { defineOptions } from './define-options.ts';

/** What is known of polyploid parents and how their chromosomes pair, in the order of `heterosis cross`. */
export const POLYPLOID_CROSSING_OPTIONS = defineOptions({
  phase: {
    kind: 'choice',
    choices: ['known', 'unknown'],
    default: 'known',
    about:
      'Phase of polyploid parents. known: the VCF has the homologs in order, and parents without phase are refused. unknown: calls or dosages are enough; the alleles of each marker lie on the homologs at random, whatever those of other markers do. Means are exact; variances are means over all phases that a parent can have, without linkage within parents, and those of the true phases may be larger or smaller.',
    label: 'Phase of the parents',
    labels: { known: 'Known', unknown: 'Unknown' },
    hint: 'Unknown: calls or dosages are enough. Means are exact; variances are means over all phases that a parent can have, and those of the true phases may be larger or smaller.',
    input: false,
    judgedBefore: true,
    says: (phase: 'known' | 'unknown') =>
      phase === 'known'
        ? ''
        : 'The phase of the parents was taken as unknown: the alleles of each marker lie on the homologs at random. Variances are means over all phases and leave out linkage within parents.',
    not: {
      preferential: {
        message: 'Preferential pairing needs to know which homologs pair, and without phase they are not known',
        action: 'Give a VCF with the homologs in order (--phase known), or leave preferential pairing out.',
        hint: 'Not with preferential pairing, which needs to know the homologs.',
      },
    },
  },
  pairing: {
    kind: 'choice',
    choices: ['bivalent', 'quadrivalent'],
    default: 'bivalent',
    about:
      'How the homologs of polyploids pair. Bivalents: any two alike unless told. Quadrivalents, in tetraploids: gametes can have two copies of one allele (double reduction), the more the farther from the centromere.',
    label: 'Pairing of homologs',
    labels: { bivalent: 'Bivalents', quadrivalent: 'Quadrivalents' },
    hint: 'Bivalents: any two alike. Quadrivalents, in tetraploids: gametes can have two copies of one allele.',
    input: false,
  },
  double_reduction: {
    kind: 'number',
    min: 0,
    max: 0.142_857_142_857_142_85,
    about:
      'Double reduction of --pairing quadrivalent far from the centromere, at most 1/7 (the default), which all chromosomes in quadrivalents have: 7 times this is the share of quadrivalents.',
    label: 'Double reduction',
    hint: 'Far from the centromere, with quadrivalents: 7 times this is the share of quadrivalents. Empty: 1/7, which all chromosomes in quadrivalents have.',
    step: 0.01,
    usual: 0.1,
    empty: '1/7',
    input: false,
    needs: {
      pairing: {
        message: 'Double reduction is about quadrivalents: bivalents have none',
        action: 'Choose quadrivalents (--pairing quadrivalent), or leave it out.',
        hint: 'With quadrivalents only: bivalents have none.',
      },
    },
  },
  preferential: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0,
    about:
      'Share of the chromosomes in bivalents whose homologs pair as they stand in the VCF, the first with the second, the third with the fourth; the others pair at random. 1 is disomic inheritance, as in allopolyploids.',
    label: 'Preferential pairing',
    hint: 'Share of the chromosomes in bivalents whose homologs pair as they stand in the VCF, first with second, third with fourth. 0: any two alike. 1: as in allopolyploids.',
    step: 0.1,
    input: false,
  },
  centromeres: {
    kind: 'text',
    about:
      'Table of the centromeres: columns chromosome and cM, on the scale of the map. Default: the middle of the markers with an effect of each chromosome. Matters for quadrivalents.',
    only: { place: 'cli', why: 'On the server they are in the middle of the markers with an effect.' },
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
