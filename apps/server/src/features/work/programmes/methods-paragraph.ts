import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { PROGRAMME_OPTIONS } from '@heterosis/contracts/options/programmes';
import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function programmeMethods(detail: Omit<ProgrammeDetail, 'methods'>): string {
  const { linkage_map, model, report, provenance } = detail;
  const { schemes = [], architecture, replicates, bp_per_cm = 1e6, optimise } = provenance.parameters;
  const distances =
    linkage_map === null
      ? `physical positions (1 cM for ${groupedNumber(bp_per_cm)} bp)`
      : `the linkage map “${linkage_map.name}”`;
  const names = schemes.map(({ name }) => `“${name}”`).join(', ');
  const truth =
    architecture === undefined
      ? `True effects were drawn in each replicate from their posterior given the variances and records of the model “${model?.name ?? 'deleted'}”.`
      : `In each replicate QTL and their effects were drawn anew (${architecture
          .map(({ trait, qtl, effects }) => `${trait}: ${groupedNumber(qtl)} QTL, ${effects} effects`)
          .join('; ')}), scaled to the mean and genetic variance given for the founders.`;
  return [
    `${schemes.length === 1 ? 'The breeding programme' : 'The breeding programmes'} ${names} ${schemes.length === 1 ? 'was' : 'were'} simulated ${optimise === undefined ? `in ${groupedNumber(replicates ?? 0)} replicates` : `with other numbers in ${groupedNumber(optimise.evaluations)} evaluations of ${optimise.replicates} replicates each`} (seed ${provenance.seed})${report === null ? '' : ` on ${groupedNumber(report.founders)} founders at ${groupedNumber(report.loci)} loci`}, with meiosis without interference (Haldane 1919) and distances from ${distances}.`,
    truth,
    'Phenotypes had independent normal errors of constant variance; models were RR-BLUP with variances by REML, refitted at every training.',
    report !== null && report.unphased_founders > 0
      ? `Heterozygous calls without phase of ${groupedNumber(report.unphased_founders)} founders were put on either chromosome at random.`
      : '',
    schemes.length > 1
      ? 'Schemes shared founders, drawn effects and the random numbers of equal stages, and were compared by differences within replicates.'
      : '',
    optimise === undefined
      ? ''
      : `${optimise.numbers.map(({ name, min, max }) => `“${name}” (${min} to ${max})`).join(', ')} moved under a budget of ${groupedNumber(optimise.budget)} for ${optimise.budget_of === 'cycle' ? 'a cycle' : 'the programme'}. Allocations were chosen by the knowledge gradient (Frazier, Powell & Dayanik 2009) of a Gaussian process with Matérn 5/2 covariance and REML estimates, and met the same replicates; differences to the best are its posterior means. The programme and its best numbers were then simulated in ${groupedNumber(replicates ?? 0)} replicates.`,
    ...Object.values(sentencesOf(PROGRAMME_OPTIONS, provenance.parameters)),
    `Computed with Heterosis ${provenance.software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
