import type { CrossingReport, CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatShare } from '../../../lib/format/format.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { ProvenanceSection, type RunPartProps, RunWarnings } from '../runs/index.ts';
import { SimulatedCrosses } from './simulated-crosses.tsx';

export function CrossingResults({ projectId, run: simulation }: RunPartProps<CrossingSimulationDetail>) {
  const { t } = useTranslation();
  const { report } = simulation;
  return (
    <>
      <PhaseParents projectId={projectId} simulation={simulation} />
      {report && <LeftOut report={report} />}
      {simulation.provenance.parameters.phase === 'unknown' && (
        <Notice kind="info">{t('crossing_simulations.phaseUnknown')}</Notice>
      )}
      {simulation.status === 'SUCCESS' && <SimulatedCrosses projectId={projectId} simulation={simulation} />}
      {report && <Basis report={report} />}
      <ProvenanceSection kind="crossing_simulation" provenance={simulation.provenance} />
    </>
  );
}

/** Where the parents are not phased: the way to the dialog that phases their genotype. */
function PhaseParents({ projectId, simulation }: { projectId: string; simulation: CrossingSimulationDetail }) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const { genotype, error_extra } = simulation;
  if (error_extra?.code !== 'crossing/unphased-parents' || genotype === null || !mayWrite) return null;
  return (
    <Button
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      renderRoot={(props) => (
        <Link
          to="/projects/$projectId/files/$fileId"
          params={{ projectId, fileId: genotype.id }}
          search={{ modal: 'phasing', modal_id: genotype.id }}
          {...props}
        />
      )}
    >
      {t('crossing_simulations.phaseParents', { name: genotype.name })}
    </Button>
  );
}

const NAMED = 20;

/** What the figures rest on. */
function Basis({ report }: { report: CrossingReport }) {
  const { t } = useTranslation();
  const onMap = report.shared - report.unmapped;
  return (
    <Section title={t('crossing_simulations.basis')}>
      <FactsStrip
        facts={[
          { label: t('crossing_simulations.crosses'), value: formatCount(report.crosses) },
          {
            label: t('crossing_simulations.simulated'),
            value: report.progeny === 0 ? t('crossing_simulations.noneSimulated') : formatCount(report.progeny),
          },
          {
            label: t('crossing_simulations.markersFound'),
            value: `${formatCount(report.shared)} / ${formatCount(report.effect_markers)}`,
          },
          { label: t('crossing_simulations.onMap'), value: formatCount(onMap) },
          ...(report.interpolated > 0
            ? [{ label: t('crossing_simulations.interpolated'), value: formatCount(report.interpolated) }]
            : []),
          {
            label: t('crossing_simulations.filled'),
            value: formatCount(report.filled_calls),
            hint: t('crossing_simulations.filledHint'),
          },
        ]}
      />
    </Section>
  );
}

/** What was left out: said before the results. */
function LeftOut({ report }: { report: CrossingReport }) {
  const { t } = useTranslation();
  return (
    <>
      {report.skipped > 0 && (
        <Notice kind="warning">
          <details>
            <summary>{t('crossing_simulations.skipped', { count: report.skipped })}</summary>
            <ul>
              {report.skipped_crosses.slice(0, NAMED).map((one) => (
                <li key={one.line}>{t('crossing_simulations.skippedLine', { ...one })}</li>
              ))}
              {report.skipped > NAMED && <li>{t('word.andMore', { count: report.skipped - NAMED })}</li>}
            </ul>
          </details>
        </Notice>
      )}
      {report.unmapped > 0 && (
        <Notice kind="warning">
          {t('crossing_simulations.unmapped', {
            markers: formatCount(report.unmapped),
            share: formatShare(report.unmapped_variance_share),
          })}
        </Notice>
      )}
      <RunWarnings warnings={report.warnings} />
    </>
  );
}
