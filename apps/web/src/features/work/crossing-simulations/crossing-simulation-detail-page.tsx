import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingReport, CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDuration, formatShare, formatTick } from '../../../lib/format/format.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { CROSSING_STAGES, InputFile, ProvenanceSection, RunLoader, RunPage, type WithState } from '../runs/index.ts';
import { CrossingResults } from './crossing-results.tsx';
import { crossingSimulationQuery, useCrossingSimulationMutations } from './crossing-simulations.api.ts';

export function CrossingSimulationDetailPage(props: { projectId: string; crossingSimulationId: string }) {
  const { projectId, crossingSimulationId } = props;
  const query = useQuery(crossingSimulationQuery(projectId, crossingSimulationId));
  return (
    <RunLoader projectId={projectId} kind="crossing_simulation" query={query}>
      {(simulation) => <LoadedSimulation projectId={projectId} simulation={simulation} />}
    </RunLoader>
  );
}

function LoadedSimulation({
  projectId,
  simulation,
}: {
  projectId: string;
  simulation: WithState<CrossingSimulationDetail>;
}) {
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_simulations', CROSSING_OPTIONS);
  const mutations = useCrossingSimulationMutations(projectId);
  const { model, provenance } = simulation;
  const { parameters } = provenance;
  return (
    <RunPage
      projectId={projectId}
      kind="crossing_simulation"
      run={simulation}
      stages={parameters.phase_first || parameters.phased_from ? ['phase', ...CROSSING_STAGES] : CROSSING_STAGES}
      mutations={mutations}
      againWith={simulation.id}
      action={
        simulation.result_url && (
          <Button component="a" href={simulation.result_url} download>
            {t('action.downloadCsv')}
          </Button>
        )
      }
      menu={
        simulation.progeny_url && (
          <Menu.Item component="a" href={simulation.progeny_url} download>
            {t('crossing_simulations.downloadProgeny')}
          </Menu.Item>
        )
      }
      facts={[
        {
          label: t('predictions.model'),
          value: model ? (
            <Link
              to="/projects/$projectId/models/$modelId"
              params={{ projectId, modelId: model.id }}
              className="hx-link"
            >
              <NameText name={model.name} />
            </Link>
          ) : (
            t('predictions.deletedModel')
          ),
        },
        {
          label: t('crossing_simulations.genotype'),
          value: <InputFile projectId={projectId} file={simulation.genotype} />,
        },
        {
          label: t('crossing_simulations.crossingTable'),
          value: <InputFile projectId={projectId} file={simulation.crossing_table} />,
        },
        {
          label: t('crossing_simulations.linkageMap'),
          value:
            parameters.bp_per_cm === null ? (
              <InputFile projectId={projectId} file={simulation.linkage_map} />
            ) : (
              t('crossing_simulations.byPosition', { mb: formatTick(parameters.bp_per_cm / 1e6) })
            ),
        },
        {
          label: textOf('map_function', 'label'),
          value: textOf('map_function', 'labels', parameters.map_function),
          hint: textOf('map_function', 'hint'),
        },
        {
          label: textOf('population', 'label'),
          value: textOf('population', 'labels', parameters.population),
          hint: t('crossing_simulations.populationHint'),
        },
        {
          label: textOf('progeny', 'label'),
          value:
            simulation.report &&
            simulation.report.progeny > 0 &&
            simulation.report.progeny !== simulation.report.crosses * parameters.progeny
              ? t('crossing_simulations.progenyOfTable')
              : formatCount(parameters.progeny),
        },
        { label: textOf('accuracy', 'label'), value: formatTick(parameters.accuracy) },
        ...(parameters.low_traits.length > 0
          ? [{ label: textOf('low_traits', 'label'), value: parameters.low_traits.join(', ') }]
          : []),
        { label: t('column.created'), value: <RelativeTime date={simulation.created_at} /> },
        { label: t('runs.took'), value: formatDuration(provenance.seconds) },
      ]}
    >
      <PhaseParents projectId={projectId} simulation={simulation} />
      {simulation.report && <LeftOut report={simulation.report} />}
      {simulation.status === 'SUCCESS' && <CrossingResults projectId={projectId} simulation={simulation} />}
      {simulation.report && <Basis report={simulation.report} />}
      <ProvenanceSection kind="crossing_simulation" provenance={provenance} />
    </RunPage>
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
              {report.skipped > NAMED && <li>{t('match.more', { count: report.skipped - NAMED })}</li>}
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
      {report.warnings.map(({ code, message, suggestion }) => (
        <Notice key={`${code} ${message}`} kind="warning">
          {message} {suggestion}
        </Notice>
      ))}
    </>
  );
}
