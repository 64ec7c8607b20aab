import type { ParentageCheckDetail, ParentageReport } from '@heterosis/contracts/work/parentage-checks';
import { useTranslation } from 'react-i18next';
import { Headline } from '../../../components/page/headline.tsx';
import { formatCount } from '../../../lib/format/format.ts';
import { ProvenanceSection, type RunPartProps } from '../runs/index.ts';
import { ParentageFindings } from './parentage-findings.tsx';
import { ParentageTable } from './parentage-table.tsx';

export function ParentageResults({ projectId, run: check }: RunPartProps<ParentageCheckDetail>) {
  const { report } = check;
  return (
    <>
      {report && (
        <>
          <Summary report={report} />
          <ParentageFindings report={report} name={check.name} />
          <ParentageTable projectId={projectId} check={check} report={report} />
        </>
      )}
      <ProvenanceSection kind="parentage_check" provenance={check.provenance} />
    </>
  );
}

/** What was found, in a sentence. */
function Summary({ report }: { report: ParentageReport }) {
  const { t } = useTranslation();
  const { verdicts, totals } = report;
  const families = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  if (report.in_pedigree === null)
    return (
      <Headline>
        {t('parentage_checks.headlineAlone', { sought: report.sought, found: report.found, copies: totals.copies })}
      </Headline>
    );
  if (families === 0) return <Headline>{t('parentage_checks.headlineNoParents')}</Headline>;
  return (
    <Headline>
      {t('parentage_checks.headline', { families: formatCount(families), confirmed: formatCount(verdicts.CONFIRMED) })}{' '}
      {verdicts.CONFLICT === 0
        ? t('parentage_checks.headlineGood')
        : t('parentage_checks.headlineConflicts', { count: verdicts.CONFLICT })}{' '}
      {verdicts.DOUBTFUL > 0 && t('parentage_checks.headlineDoubtful', { count: verdicts.DOUBTFUL })}{' '}
      {totals.swaps > 0 && t('parentage_checks.headlineSwaps', { count: totals.swaps })}
    </Headline>
  );
}
