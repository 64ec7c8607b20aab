import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import {
  createParentageCheckBody,
  type ParentageCheck,
  type ParentageCheckDetail,
} from '@heterosis/contracts/work/parentage-checks';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatShare } from '../../../lib/format/format.ts';
import { DownloadCsv, type FactMakers, PARENTAGE_STAGES, type RunView } from '../runs/index.ts';
import { parentageCheckRuns } from './parentage-checks.api.ts';

export const PARENTAGE_CHECK_VIEW: RunView<ParentageCheck, ParentageCheckDetail> = {
  ...parentageCheckRuns,
  body: createParentageCheckBody,
  inputs: ['genotype'],
  stages: () => PARENTAGE_STAGES,
  useFacts,
  Action: ({ run }) => <DownloadCsv url={run.families_url} />,
  downloads: (check, t) => [
    [t('parentage_checks.downloadParents'), check.parents_url],
    [t('parentage_checks.downloadFindings'), check.findings_url],
  ],
};

function useFacts(check: ParentageCheckDetail, { t, file }: FactMakers) {
  const textOf = useOptionText('parentage_checks', PARENTAGE_OPTIONS);
  const { report, compared_with: compared, pedigree, provenance } = check;
  const { error_rate: errorRate } = provenance.parameters;
  const facts = [
    file(t('word.genotypeFile'), check.genotype),
    compared === 'file'
      ? file(textOf('pedigree', 'label'), pedigree)
      : { label: textOf('pedigree', 'label'), value: textOf('pedigree', 'labels', compared) },
  ];
  if (report) {
    facts.push(
      { label: t('word.individuals'), value: formatCount(report.individuals) },
      {
        label: t('parentage_checks.inPedigree'),
        value: report.in_pedigree === null ? '–' : formatCount(report.in_pedigree),
      },
      {
        label: t('word.markers'),
        value: formatCount(report.markers),
        hint: t('parentage_checks.markersHint', { count: report.polymorphic_markers }),
      },
    );
  }
  if (typeof errorRate === 'number')
    facts.push({ label: textOf('error_rate', 'label'), value: formatShare(errorRate) });
  return facts;
}
