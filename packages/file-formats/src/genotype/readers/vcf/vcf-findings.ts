import type { ProblemCollector } from '../../../problem.ts';
import { groupedNumber } from '../../../text/grouped-number.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { type MultiallelicRule, reportMultiallelic } from '../allele-calls.ts';
import { reportUnplaced } from '../marker-findings.ts';
import { LEAST_PROBABILITY, READ_ERROR } from '../read-caller.ts';

/** I-GT-CALLED for calls that were made of reads. */
export function reportCalled(calls: Tally, uncertain: number, problems: ProblemCollector): void {
  if (calls.count === 0) return;
  problems.info('I-GT-CALLED', {
    line: calls.line,
    message: `${counted(calls.count, 'call')} ${calls.count === 1 ? 'was' : 'were'} made of reads: the class of the largest binomial probability, with ${100 * READ_ERROR} % wrong reads and all classes as probable before. ${groupedNumber(uncertain)} of them ${uncertain === 1 ? 'is' : 'are'} missing, as no class had a probability of ${LEAST_PROBABILITY}.`,
    suggestion:
      'Nothing to do where depths are high. Programs that model overdispersion and bias of reads (updog, polyRAD) call better where they are low; their dosages are read too.',
  });
}

/** Of a cell. */
interface Place {
  line: number;
  column: string;
  value: string;
}

/** A call with another number of alleles than the others of its sample. */
interface CallOfOtherPloidy {
  name: string;
  expected: number;
  ploidy: number;
}

/** What a VCF tells about itself only at its end: kinds of calls and lines that are counted while it is read. */
export class VcfFindings {
  /** Lines with more than two alleles. */
  readonly multiallelic: Tally = new Tally();
  /** Markers whose alleles have no names. */
  readonly unknownAlleles: Tally = new Tally();
  /** Calls with one allele. */
  readonly haploid: Tally = new Tally();
  /** Calls with one of two alleles missing. */
  readonly halfMissing: Tally = new Tally();
  /** Lines whose DS or GP was not read because they have GT. */
  readonly unusedDosages: Tally = new Tally();
  /** Calls without reads, where reads are read. */
  readonly withoutReads: Tally = new Tally();
  /** Calls read from genotype probabilities. */
  readonly probabilities: Tally = new Tally();
  /** Calls made of reads, and those of them that no class is probable enough for. */
  readonly called: Tally = new Tally();
  readonly uncertain: Tally = new Tally();
  /** Lines among the markers that begin with # and are no header. */
  readonly passedOver: Tally = new Tally();
  /** Lines without a position, and all lines of markers. */
  unplaced = 0;
  lines = 0;
  /** Heterozygous calls with and without phase. */
  phasedHet = 0;
  unphasedHet = 0;
  readonly #polyploid = new Tally();
  #highestPloidy = 0;
  #polyploidCall = '';
  readonly #otherOfSample = new Tally();
  #ofSample: { where: Place; call: CallOfOtherPloidy } | null = null;
  readonly #otherPloidy = new Tally();
  #other: { ploidy: number; call: string } | null = null;

  /** A call with more than two alleles; its text is asked for once. */
  addPolyploid(line: number, ploidy: number, text: () => string): void {
    if (this.#polyploid.count === 0) this.#polyploidCall = text();
    this.#polyploid.add(line);
    this.#highestPloidy = Math.max(this.#highestPloidy, ploidy);
  }

  /** A call of another ploidy than the other calls of its sample. */
  addOtherOfSample(where: Place, call: CallOfOtherPloidy): void {
    this.#ofSample ??= { where, call };
    this.#otherOfSample.add(where.line);
  }

  /** A call of another ploidy than the one that was given. */
  addOtherPloidy(line: number, ploidy: number, text: () => string): void {
    this.#other ??= { ploidy, call: text() };
    this.#otherPloidy.add(line);
  }

  /**
   * Reports E-GT-PLOIDY and the warnings; `rule` says what became of lines with more than two alleles, `found` is the
   * ploidy of the calls.
   */
  report(
    rule: MultiallelicRule,
    problems: ProblemCollector,
    {
      polyploids,
      ploidy,
      found = 2,
    }: { polyploids?: boolean | undefined; ploidy?: number | undefined; found?: number } = {},
  ): void {
    if (this.#ofSample !== null) {
      const { where, call } = this.#ofSample;
      const others = this.#otherOfSample.count - 1;
      problems.error('E-GT-PLOIDY-MIX', {
        ...where,
        message: `"${call.name}" has ${call.expected} alleles in the first of its calls and ${call.ploidy} here${others === 0 ? '' : `; so have ${counted(others, 'further call')}`}.`,
        suggestion: 'Plants may differ in ploidy, the calls of one plant may not: call it with one ploidy.',
      });
    }
    if (this.#other !== null) {
      problems.error('E-GT-PLOIDY', {
        line: this.#otherPloidy.line,
        value: this.#other.call,
        message: `${counted(this.#otherPloidy.count, 'call')} ${this.#otherPloidy.count === 1 ? 'has' : 'have'} another number of alleles (${this.#other.ploidy}) than the ploidy that was given (${ploidy}).`,
        suggestion: 'Leave the ploidy out: the calls tell it.',
      });
    }
    if (this.#polyploid.count > 0) {
      problems.error('E-GT-PLOIDY', {
        line: this.#polyploid.line,
        value: this.#polyploidCall,
        message: `${counted(this.#polyploid.count, 'call')} ${this.#polyploid.count === 1 ? 'has' : 'have'} more than two alleles (up to ${this.#highestPloidy}); ${polyploids === true ? 'only ploidies of 2, 4, 6 and 8 are read' : 'only diploid genotypes can be analysed'}.`,
        suggestion: 'Call the genotypes as diploid, or export presence/absence of each allele.',
      });
    }
    reportUnplaced(this.unplaced, this.lines, problems);
    reportMultiallelic(this.multiallelic, 'line', rule, problems);
    if (this.passedOver.count > 0) {
      problems.warning('W-GT-COMMENT', {
        line: this.passedOver.line,
        message: `${counted(this.passedOver.count, 'line')} among the markers ${this.passedOver.count === 1 ? 'begins' : 'begin'} with # and ${this.passedOver.count === 1 ? 'was' : 'were'} passed over.`,
        suggestion: 'Nothing to do if they were to be left out; otherwise remove the #.',
      });
    }
    if (this.unknownAlleles.count > 0) {
      problems.warning('W-GT-ALLELES', {
        line: this.unknownAlleles.line,
        message: `${groupedNumber(this.unknownAlleles.count)} markers do not name their alleles (REF or ALT is "."); allele 1 is counted.`,
        suggestion:
          'Add REF and ALT if this panel shall be compared with others: alleles cannot be matched without names.',
      });
    }
    if (this.haploid.count > 0) {
      problems.warning('W-GT-HAPLOID', {
        line: this.haploid.line,
        message: `${groupedNumber(this.haploid.count)} calls have a single allele; they were read as homozygous.`,
        suggestion: 'This is right for doubled haploids and inbred lines.',
      });
    }
    if (this.halfMissing.count > 0) {
      problems.warning('W-GT-HALF-CALL', {
        line: this.halfMissing.line,
        message: `${groupedNumber(this.halfMissing.count)} calls have some of their alleles missing (such as 0/.); they were read as missing.`,
        suggestion: 'Write all alleles, or ./. when the call is missing.',
      });
    }
    if (this.withoutReads.count > 0) {
      problems.warning('W-GT-NO-READS', {
        line: this.withoutReads.line,
        message: `${counted(this.withoutReads.count, 'call')} ${this.withoutReads.count === 1 ? 'has' : 'have'} no reads (AD); they were read as missing.`,
        suggestion: 'Nothing to do if so many plants could not be sequenced at these markers.',
      });
    }
    reportCalled(this.called, this.uncertain.count, problems);
    if (this.probabilities.count > 0) {
      problems.info('I-GT-PROBABILITIES', {
        line: this.probabilities.line,
        message: `${counted(this.probabilities.count, 'call')} ${this.probabilities.count === 1 ? 'was' : 'were'} read from genotype probabilities (GP) as the mean number of copies. How uncertain a call is, is lost: one copy for certain, and none or two with the same probability, are both 1.`,
        suggestion: 'Nothing to do, if calls as uncertain as that are few.',
      });
    }
    if (this.unusedDosages.count > 0) {
      problems.info('I-GT-DOSAGE-UNUSED', {
        line: this.unusedDosages.line,
        message: `${counted(this.unusedDosages.count, 'line')} ${this.unusedDosages.count === 1 ? 'has' : 'have'} dosages or genotype probabilities (DS, GP) beside GT; GT was read.`,
        suggestion:
          'To count imputed genotypes with their uncertainty, choose to read the dosages (heterosis import --dosages).',
      });
    }
    if (this.unphasedHet > 0) {
      problems.warning('W-GT-UNPHASED', {
        message: `${groupedNumber(this.unphasedHet)} of ${groupedNumber(this.phasedHet + this.unphasedHet)} heterozygous calls are not phased.`,
        suggestion:
          found > 2
            ? 'Crosses are predicted from phased parents (0|0|1|1): phase them by another program.'
            : 'Crossing simulations need phased parents: phase the file first, or use inbred parents.',
      });
    }
  }
}
