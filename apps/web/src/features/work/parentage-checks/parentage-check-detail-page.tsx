import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import type { ParentageCheckDetail, ParentageReport } from '@heterosis/contracts/work/parentage-checks';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Headline } from '../../../components/page/headline.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDuration, formatShare } from '../../../lib/format/format.ts';
import { InputFile, PARENTAGE_STAGES, ProvenanceSection, RunLoader, RunPage, type WithState } from '../runs/index.ts';
import { parentageCheckQuery, useParentageCheckMutations } from './parentage-checks.api.ts';
import { ParentageFindings } from './parentage-findings.tsx';
import { ParentageTable } from './parentage-table.tsx';

export function ParentageCheckDetailPage(props: { projectId: string; parentageCheckId: string }) {
  const { projectId, parentageCheckId } = props;
  const query = useQuery(parentageCheckQuery(projectId, parentageCheckId));
  return (
    <RunLoader projectId={projectId} kind="parentage_check" query={query}>
      {(check) => <LoadedCheck projectId={projectId} check={check} />}
    </RunLoader>
  );
}

function LoadedCheck({ projectId, check }: { projectId: string; check: WithState<ParentageCheckDetail> }) {
  const { t } = useTranslation();
  const textOf = useOptionText('parentage_checks', PARENTAGE_OPTIONS);
  const mutations = useParentageCheckMutations(projectId);
  const { report } = check;
  const { error_rate } = check.provenance.parameters;
  return (
    <RunPage
      projectId={projectId}
      kind="parentage_check"
      run={check}
      stages={PARENTAGE_STAGES}
      mutations={mutations}
      againWith={check.id}
      action={
        check.families_url && (
          <Button component="a" href={check.families_url} download>
            {t('action.downloadCsv')}
          </Button>
        )
      }
      menu={
        <>
          {check.parents_url && (
            <Menu.Item component="a" href={check.parents_url} download>
              {t('parentage_checks.downloadParents')}
            </Menu.Item>
          )}
          {check.findings_url && (
            <Menu.Item component="a" href={check.findings_url} download>
              {t('parentage_checks.downloadFindings')}
            </Menu.Item>
          )}
        </>
      }
      facts={[
        { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={check.genotype} /> },
        {
          label: textOf('pedigree', 'label'),
          value:
            check.compared_with === 'file' ? (
              <InputFile projectId={projectId} file={check.pedigree} />
            ) : (
              textOf('pedigree', 'labels', check.compared_with)
            ),
        },
        ...(report
          ? [
              { label: t('models.individuals'), value: formatCount(report.individuals) },
              {
                label: t('parentage_checks.inPedigree'),
                value: report.in_pedigree === null ? '–' : formatCount(report.in_pedigree),
              },
              {
                label: t('parentage_checks.markers'),
                value: formatCount(report.markers),
                hint: t('parentage_checks.markersHint', { count: report.polymorphic_markers }),
              },
            ]
          : []),
        ...(typeof error_rate === 'number'
          ? [{ label: textOf('error_rate', 'label'), value: formatShare(error_rate) }]
          : []),
        { label: t('column.created'), value: <RelativeTime date={check.created_at} /> },
        { label: t('runs.took'), value: formatDuration(check.provenance.seconds) },
      ]}
    >
      {report && (
        <>
          <Summary report={report} />
          <ParentageFindings report={report} name={check.name} />
          <ParentageTable projectId={projectId} check={check} report={report} />
        </>
      )}
      <ProvenanceSection kind="parentage_check" provenance={check.provenance} />
    </RunPage>
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
